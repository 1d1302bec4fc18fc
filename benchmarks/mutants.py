"""Mutants of published programs: recall on those that fail, and false alarms on those that run.

`python -m benchmarks.mutants --root FOLDER --most N` takes the programs of `programs.toml` that run to their end,
changes one size, axis, flag or layer at a time, and both runs and checks the result.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.programs import LIST, Program, listed, run
from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.evaluation.mutate import Mutant, mutants
from shapecheck.evaluation.mutation import is_kill
from shapecheck.findings import Finding, Severity
from shapecheck.source import read


@dataclass(frozen=True)
class Verdict:
    """The fate of a mutant, and the first error that is found in it."""

    program: Program
    mutant: Mutant
    ending: str
    finding: Finding | None

    @property
    def is_killed(self) -> bool:
        kind, _, text = self.ending.removeprefix("it raised ").partition(": ")
        return self.ending.startswith("it raised ") and is_kill([kind], text)

    @property
    def survived(self) -> bool:
        return self.ending in ("exit status 0", "its time was up")

    def __str__(self) -> str:
        told = f"{self.finding.place}: {self.finding.message}" if self.finding else self.ending
        return f"{self.program.name}:{self.mutant.row}: {self.mutant.change}; {' '.join(told.split())[:150]}"


def verdicts(program: Program, root: Path, most: int, seconds: float) -> Iterator[Verdict]:
    """Yield the mutants of a program that runs and has no findings."""
    repository = program.repository.replace("/", "+")
    source = read(root / repository / program.path)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        copy = _shadow((root / repository).resolve(), Path(name) / repository, Path(program.path))
        for number, mutant in enumerate([Mutant(0, "", source.text), *mutants(source, most)]):
            copy.write_text(mutant.text, encoding="utf-8")
            ending = run(program, Path(name), seconds, None).ending
            verdict = Verdict(program, mutant, ending, _error(copy))
            if number:
                yield verdict
            elif not verdict.survived or verdict.finding:
                print(f"left out, as it is: {verdict}", flush=True)
                return


def _shadow(repository: Path, shadow: Path, path: Path) -> Path:
    """Create a folder like a repository, in which one file can be written without changing the original."""
    for folder in reversed(path.parents):
        (shadow / folder).mkdir()
        for entry in (repository / folder).iterdir():
            if not path.is_relative_to(entry.relative_to(repository)):
                (shadow / folder / entry.name).symlink_to(entry)
    return shadow / path


def _error(script: Path) -> Finding | None:
    return next((found for found in check([script], Config()).findings if found.severity is Severity.ERROR), None)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--list", type=Path, default=LIST, help="another list than the one beside this file")
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--most", type=int, default=3, help="mutants of each program")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    killed = found = survived = false = 0
    for program in listed(options.list, options.only):
        for verdict in verdicts(program, options.root, options.most, options.seconds):
            killed += verdict.is_killed
            found += verdict.is_killed and verdict.finding is not None
            survived += verdict.survived
            false += verdict.survived and verdict.finding is not None
            if verdict.is_killed and verdict.finding is None:
                print(f"missed: {verdict}", flush=True)
            elif verdict.survived and verdict.finding:
                print(f"false: {verdict}", flush=True)
    print(f"{found} of {killed} that fail are found; {false} errors in {survived} that run")
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
