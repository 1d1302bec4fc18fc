"""What the real libraries say of the findings in the faulty programs of the corpus.

python -m benchmarks.confirmed [--framework torch] [--device all] [--jobs 8]

Checks each program whose imports are all installed with `--confirm`, several at once. Prints a table in Markdown: the
findings by framework and verdict, and how many of each a GPU has given too; below it all that are not confirmed.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from shapecheck.cli.confirmation import DEVICES
from shapecheck.evaluation.cases import pairs

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
Finding = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framework", action="append", help="as the labels of the corpus name it; all if not given")
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    cases = [(case.framework, folder / "buggy.py") for folder, case in pairs(CORPUS)]
    wanted = [(framework, path) for framework, path in cases if framework in (asked.framework or [framework])]
    wanted = [(framework, path) for framework, path in wanted if all(map(_is_installed, imports(path)))]
    with ThreadPoolExecutor(asked.jobs) as pool:
        found = list(pool.map(lambda path: findings(path, asked.device), [path for _, path in wanted]))
    print("\n".join(table([framework for framework, _ in wanted], found)))


def imports(path: Path) -> set[str]:
    """Return the top-level modules that a program imports."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module.partition(".")[0])
    return modules


def _is_installed(module: str) -> bool:
    return module in sys.builtin_module_names or importlib.util.find_spec(module) is not None


def findings(path: Path, device: str) -> list[Finding]:
    """Return the findings of a program with their confirmations, as the JSON format has them."""
    command = [sys.executable, "-m", "shapecheck", f"--confirm={device}", "--no-cache", "--output-format=json"]
    ran = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    told: list[Finding] = json.loads(ran.stdout)
    return told


def table(frameworks: list[str], found: list[list[Finding]]) -> Iterator[str]:
    """Yield the lines of the table, and those of the findings that are not confirmed."""
    yield "| framework | programs | severity | verdict | findings | on a GPU too |"
    yield "|---|---:|---|---|---:|---:|"
    for framework, programs in sorted(Counter(frameworks).items()):
        told = [finding for of, each in zip(frameworks, found, strict=True) if of == framework for finding in each]
        verdicts = Counter((finding["severity"], finding["confirmation"]["status"]) for finding in told)
        on_gpu = Counter(
            (finding["severity"], finding["confirmation"]["status"])
            for finding in told
            if "gpu" in finding["confirmation"]["device"]
        )
        for (severity, verdict), count in sorted(verdicts.items()):
            yield f"| {framework} | {programs} | {severity} | {verdict} | {count} | {on_gpu[severity, verdict]} |"
    for finding in (finding for each in found for finding in each):
        verdict = finding["confirmation"]
        if verdict["status"] != "confirmed":
            place = f"{finding['filename']}:{finding['location']['row']}"
            yield f"{place}: {finding['name']}: {verdict['status']}: {verdict['error']} {verdict['text']}"


if __name__ == "__main__":
    main()
