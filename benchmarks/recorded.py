"""Notebooks that hold the results of a run: cells that failed, and cells that ran.

`python -m benchmarks.recorded FOLDER ...` checks the notebooks in the folders whose cells have results. It prints each
cell that failed with an exception about shapes, with what is found there or nothing, and each error that is found in
a cell that ran: the one is missed, and the other false, unless the notebook or what it imports was changed after the
run.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.findings import Finding, Severity
from shapecheck.frontend.notebook import cells_of

OF_SHAPES = re.compile(
    r"shape|dimension|ndim|broadcast|\baxis\b|\bax[ei]s\b|\brank\b|incompatible|not aligned|inconsistent|out of bounds|"
    r"too many indices|to unpack|mat1|size mismatch|sizes? of tensor|logits|number of (samples|elements|features)",
    re.IGNORECASE,
)
"""What the message of an exception says if it may be about shapes."""
OTHERS = frozenset("NameError KeyError ImportError ModuleNotFoundError FileNotFoundError KeyboardInterrupt".split())


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that was run: its number among all cells, from 1, and what the run raised, or nothing."""

    number: int
    raised: str

    @property
    def failed(self) -> bool:
        kind, _, message = self.raised.partition(": ")
        return kind not in OTHERS and bool(OF_SHAPES.search(message))


def recorded(notebook: Mapping[str, object]) -> Iterator[Cell]:
    """Yield the cells of a notebook that were run; older notebooks call results and numbers otherwise."""
    for number, cell in enumerate(cells_of(notebook), 1):
        outputs = cell.get("outputs")
        if cell.get("execution_count", cell.get("prompt_number")) is None or not isinstance(outputs, list):
            continue
        errors = (each for each in outputs if each.get("output_type") in ("error", "pyerr"))
        raised = (f"{each.get('ename')}: {each.get('evalue')}" for each in errors)
        yield Cell(number, next(raised, ""))


def found_in(findings: list[Finding], number: int) -> list[Finding]:
    """Return the findings in a cell, or in what it calls."""
    return [each for each in findings if number in (each.place.cell, *(frame.place.cell for frame in each.call_path))]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recorded", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    for absent in (folder for folder in options.folders if not folder.exists()):
        parser.error(f"there is no {absent}")
    failed = found = ran = doubtful = 0
    for path in (path for folder in options.folders for path in sorted(folder.rglob("*.ipynb"))):
        try:
            cells = list(recorded(json.loads(path.read_text(encoding="utf-8"))))
        except (ValueError, AttributeError):
            continue
        if not cells:
            continue
        findings = [each for each in check([path], Config(noqa=False)).findings if each.severity is not Severity.INFO]
        for cell in cells:
            told = found_in(findings, cell.number)
            if cell.failed:
                failed, found = failed + 1, found + bool(told)
                said = told[0].message if told else "nothing is found"
                print(f"{path}: cell {cell.number}: {' '.join(cell.raised.split())[:120]} -> {said}", flush=True)
            elif not cell.raised:
                errors = [each for each in told if each.severity is Severity.ERROR]
                ran, doubtful = ran + 1, doubtful + len(errors)
                for error in errors:
                    print(f"{path}: cell {cell.number} ran, but [{error.name}] {error.message}", flush=True)
    print(f"something is found in {found} of {failed} cells that failed; {doubtful} errors in {ran} cells that ran")
    return 0


if __name__ == "__main__":
    sys.exit(main())
