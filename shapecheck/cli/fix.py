"""`shapecheck fix`: the fixes of a file, one finding after the other, each taken or skipped by the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli import summary
from shapecheck.cli.output import wants_colour, write
from shapecheck.config_files import nearest

if TYPE_CHECKING:
    from shapecheck.checker.pipeline import Result
    from shapecheck.config import Config
    from shapecheck.findings import Finding

_MOST_FIXES = 3
_KEYS = "take that fix, t: try the first one with the library, s: skip, u: undo, q: quit"


@click.command(name="fix", short_help="Go through the fixes of a file.")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(path: Path) -> int:
    """Show each finding of a file that has a fix, and ask what to do.

    A fix that is taken is written to the file at once, and the file is checked again; undo restores it byte for byte.
    """
    session = _Session(path, replace(nearest([path]), fixes=_MOST_FIXES))
    while (finding := next(session.open(), None)) is not None:
        _show(finding)
        if not _ask(session, finding):
            break
    applied, skipped = len(session.before), len(session.skipped)
    without = sum(not found.fixes for found in session.findings)
    click.echo(
        f"{applied} {'fix' if applied == 1 else 'fixes'} applied, {skipped} skipped, "
        f"{summary.plural(without, 'finding')} without a fix."
    )
    return int(any(found.severity.fails for found in session.findings))


@dataclass
class _Session:
    """A file, what it was before each fix, and the findings that were skipped."""

    path: Path
    config: Config
    before: list[bytes] = field(default_factory=list)
    skipped: list[tuple[str, str, str]] = field(default_factory=list)
    result: Result = field(init=False)

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Check the file as it is now; raises UnreadableSource."""
        from shapecheck.checker.pipeline import check
        from shapecheck.source import UnreadableSource

        self.result = check([self.path], self.config, replayable=True)
        if self.result.problems:
            raise UnreadableSource(self.result.problems[0])

    @property
    def findings(self) -> list[Finding]:
        return [found for found in self.result.findings if found.place.filename == str(self.path)]

    def open(self) -> Iterator[Finding]:
        """Yield the findings with a fix about which nothing was said."""
        for finding in self.findings:
            if finding.fixes and _told(finding) not in self.skipped:
                yield finding

    def take(self, finding: Finding, number: int) -> None:
        """Write a fix into the file; raises ValueError, OSError or SyntaxError if that is not possible."""
        from shapecheck.fixes.apply import fixed_files

        before = self.path.read_bytes()
        for file in fixed_files([replace(finding, fixes=(finding.fixes[number],))], unsafe=True):
            file.write()
            self.before.append(before)
        self.check()

    def undo(self) -> bool:
        """Take back the last fix, and what was skipped after it; return False if there is none."""
        if not self.before:
            return False
        self.path.write_bytes(self.before.pop())
        self.skipped.clear()
        self.check()
        return True


def _told(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.message, finding.place.text


def _show(finding: Finding) -> None:
    from shapecheck.report.text import block

    write(block(finding, wants_colour("auto"), is_asked=True))


def _ask(session: _Session, finding: Finding) -> bool:
    """Ask until something is done about a finding; return False to quit."""
    numbers = {"": 0, "y": 0, "yes": 0, **{str(number): number - 1 for number in range(1, len(finding.fixes) + 1)}}
    choices = " or ".join(str(number) for number in range(1, len(finding.fixes) + 1))
    while True:
        try:
            answer = click.prompt(f"({choices}: {_KEYS})", default="", show_default=False).strip().lower()
        except click.Abort:
            click.echo()
            return False
        if answer in numbers:
            return _taken(session, finding, numbers[answer])
        match answer:
            case "t" | "try":
                _try(session, finding)
            case "s" | "skip" | "n" | "no":
                session.skipped.append(_told(finding))
                return True
            case "u" | "undo":
                if session.undo():
                    return True
                click.echo("Nothing was changed yet.")
            case "q" | "quit":
                return False
            case _:
                click.echo(f"'{answer}' is none of these.")


def _taken(session: _Session, finding: Finding, number: int) -> bool:
    try:
        session.take(finding, number)
    except (OSError, ValueError, SyntaxError) as error:
        click.echo(f"{session.path}: not fixed: {error}", err=True)
        session.skipped.append(_told(finding))
    return True


def _try(session: _Session, finding: Finding) -> None:
    """Show a finding with what the library does with the failing call, and with the mended one."""
    from shapecheck.checker.confirm import confirm

    for replayed in confirm(replace(session.result, findings=[finding]), "cpu"):
        _show(replayed)
