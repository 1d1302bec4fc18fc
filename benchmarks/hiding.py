"""Hidden values: programs without errors must have none when some of their values are not known.

`python -m benchmarks.hiding FOLDER ...` takes the Python files in the folders that have no errors, hides values of each
in several ways, and prints every error that appears: it is false, as the program that runs is an instance of the other.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.evaluation.hide import Hidden, hidden
from shapecheck.findings import Finding, Severity
from shapecheck.source import Source, read


@dataclass(frozen=True)
class Violation:
    """An error that appears when values are hidden."""

    path: Path
    hidden: Hidden
    finding: Finding

    def __str__(self) -> str:
        hid = "; ".join(f"{row}: {code[:60]}" for row, code in self.hidden.changes)
        return f"{self.path}:{self.finding.place.row}: [{self.finding.name}] {self.finding.message} (hidden: {hid})"


def violations(path: Path, most: int, at_once: int) -> Iterator[Violation | None]:
    """Yield a violation, or None, for each way to hide values of a program that has no errors."""
    source = read(path)
    with tempfile.TemporaryDirectory(prefix="hidden-") as folder:
        copy = Path(folder) / path.name
        if _errors(copy, source.text):
            return
        for program in hidden(Source(path.name, source.text), most, at_once):
            found = _errors(copy, program.text)
            yield Violation(path, program, found[0]) if found else None


def _errors(copy: Path, text: str) -> list[Finding]:
    copy.write_text(text, encoding="utf-8")
    return [found for found in check([copy], Config(noqa=False)).findings if found.severity is Severity.ERROR]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hiding", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=20, help="hidden programs of each file")
    parser.add_argument("--at-once", type=int, default=1, help="values that are hidden together")
    parser.add_argument("--seconds", type=float, default=5, help="files that take longer are left out")
    parser.add_argument("--keep", type=Path, help="a folder for the programs with errors")
    options = parser.parse_args()
    for absent in (folder for folder in options.folders if not folder.exists()):
        parser.error(f"there is no {absent}")
    programs = wrong = 0
    for folder in options.folders:
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            start = time.monotonic()
            for violation in violations(path, options.most, options.at_once):
                programs += 1
                if violation is not None:
                    wrong += 1
                    print(violation, flush=True)
                    if options.keep:
                        (options.keep / f"{path.parent.name}_{path.stem}_{wrong}.py").write_text(violation.hidden.text)
                if programs and time.monotonic() - start > options.seconds * options.most:
                    break
    print(f"{wrong} errors in {programs} programs with hidden values")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
