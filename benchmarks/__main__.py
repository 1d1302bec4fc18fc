"""A cold check beside the bare parse of the same files: `python -m benchmarks [--runs=N] [FOLDER ...]`.

Each figure is CPU time of a process of its own; without folders, packages that are installed here are checked.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

PACKAGES = {
    "keras": "src/layers",
    "tf_keras": "src/layers",
    "gpflow": "",
    "transformers": "models/bert",
    "tensorflow": "python/ops",
}
PARSE = """
import sys
from pathlib import Path
import libcst
for name in sys.stdin.read().split("\\0"):
    try:
        libcst.parse_module(Path(name).read_text("utf-8"))
    except (libcst.ParserSyntaxError, UnicodeDecodeError):
        pass
"""
ONE_PROCESS = {**os.environ, "OMP_NUM_THREADS": "1"}


def measured(command: Sequence[str], given: str = "") -> tuple[float, float]:
    """CPU seconds and peak megabytes of a process."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ONE_PROCESS
    )
    assert process.stdin is not None
    process.stdin.write(given.encode())
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        print(f"  exit status {process.returncode}: not everything was checked")
    per_megabyte = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / per_megabyte


def repeated(command: Sequence[str], runs: int, given: str = "") -> tuple[list[float], float]:
    """The CPU seconds of each run, and the greatest peak."""
    results = [measured(command, given) for _ in range(runs)]
    return [seconds for seconds, _ in results], max(peak for _, peak in results)


def compare(folder: Path, runs: int) -> None:
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    print(f"{folder}: {len(files)} files, {lines:,} lines")
    parse, parse_peak = repeated([sys.executable, "-c", PARSE], runs, "\0".join(map(str, files)))
    check, check_peak = repeated([sys.executable, "-m", "shapecheck", "-q", *map(str, files)], runs)
    for name, seconds, peak in (("libcst.parse_module", parse, parse_peak), ("shapecheck", check, check_peak)):
        low, middle = min(seconds), statistics.median(seconds)
        print(f"  {name:20} {low:7.2f} s least {middle:7.2f} s median {lines / low:9,.0f} lines/s {peak:6.0f} MB")
    print(
        f"  ratio {min(check) / min(parse):.2f} least, {statistics.median(check) / statistics.median(parse):.2f} median"
    )


def installed() -> list[Path]:
    """Folders of known packages that are here."""
    found = []
    for package, folder in PACKAGES.items():
        spec = find_spec(package)
        if spec is not None and spec.origin is not None and (Path(spec.origin).parent / folder).is_dir():
            found.append(Path(spec.origin).parent / folder)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time of a check beside that of parsing.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    for folder in options.folders or installed():
        compare(folder, options.runs)


if __name__ == "__main__":
    main()
