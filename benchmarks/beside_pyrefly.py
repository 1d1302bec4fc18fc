"""What pyrefly's tensor shapes find in the PyTorch programs of the corpus, beside what shapecheck finds.

python -m benchmarks.beside_pyrefly PYREFLY SITE_PACKAGES…

PYREFLY is the program, of an environment with the `pyrefly-torch-stubs` of its version; the folders are that of the
stubs and one with PyTorch. Prints a table in Markdown: how many faults each finds at a line that fails, how many fixed
programs each reports something of that only the shapes tell, and the faults that only one of them finds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import shapecheck
from shapecheck.evaluation.cases import Case, pairs

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
OF_SHAPES = ("Shape", "shape", "dimension", "Tensor[")
"""What a message of pyrefly has in it if it tells of shapes."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool says of one program: lines with their messages."""

    messages: tuple[tuple[int, str], ...]

    def finds(self, lines: Sequence[int], fixed: Told) -> bool:
        """Return whether something is said of one of the lines that is not said of the fixed program."""
        elsewhere = {message for _, message in fixed.messages}
        return any(line in lines and message not in elsewhere for line, message in self.messages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pyrefly")
    parser.add_argument("site_packages", nargs="+")
    asked = parser.parse_args()
    found = [(folder, case) for folder, case in pairs(CORPUS) if case.framework == "torch" and case.lines]
    programs = [folder / name for folder, _ in found for name in ("buggy.py", "fixed.py")]
    theirs = of_pyrefly(asked.pyrefly, asked.site_packages, programs)
    ours = of_shapecheck(programs)
    print("\n".join(table(found, theirs, ours)))


def of_pyrefly(pyrefly: str, site_packages: Sequence[str], programs: Sequence[Path]) -> dict[Path, Told]:
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "pyrefly.toml"
        configuration.write_text(f"site-package-path = {json.dumps(list(site_packages))}\n", encoding="utf-8")
        command = [pyrefly, "check", "--config", str(configuration), "--output-format", "json", *map(str, programs)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    told: dict[Path, list[tuple[int, str]]] = {program: [] for program in programs}
    for error in json.loads(ran.stdout)["errors"]:
        place = (Path.cwd() / error["path"]).resolve()
        if place in told and any(word in error["description"] for word in OF_SHAPES):
            told[place].append((error["line"], error["description"]))
    return {program: Told(tuple(messages)) for program, messages in told.items()}


def of_shapecheck(programs: Sequence[Path]) -> dict[Path, Told]:
    told: dict[Path, list[tuple[int, str]]] = {program: [] for program in programs}
    for program in programs:
        for finding in shapecheck.check([program], shapecheck.Config(cache_dir=None)):
            told[program].append((finding.place.row, finding.message))
    return {program: Told(tuple(messages)) for program, messages in told.items()}


def table(found: Sequence[tuple[Path, Case]], theirs: dict[Path, Told], ours: dict[Path, Told]) -> Iterable[str]:
    """Return the lines of the report."""
    yield "| | faults found | fixed programs with a finding |"
    yield "|---|---|---|"
    caught = {}
    for name, told in (("shapecheck", ours), ("pyrefly", theirs)):
        hits = {
            folder.name
            for folder, case in found
            if told[folder / "buggy.py"].finds(case.lines, told[folder / "fixed.py"])
        }
        noisy = sum(bool(told[folder / "fixed.py"].messages) for folder, _ in found)
        caught[name] = hits
        yield f"| {name} | {len(hits)} of {len(found)} | {noisy} |"
    yield ""
    for one, other in (("pyrefly", "shapecheck"), ("shapecheck", "pyrefly")):
        only = sorted(caught[one] - caught[other])
        yield f"Only {one} finds {len(only)}{': ' + ', '.join(only) if only and len(only) < 20 else ''}."


if __name__ == "__main__":
    sys.exit(main())
