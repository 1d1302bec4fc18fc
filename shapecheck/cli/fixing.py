"""`--fix` and `--diff`: apply fixes until none is left, or show what they would change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import click

from shapecheck.cli import summary

if TYPE_CHECKING:
    from shapecheck.checker.pipeline import Result
    from shapecheck.findings import Finding

_MOST_ROUNDS = 10


@dataclass(frozen=True, slots=True)
class FixOptions:
    """The options about fixes."""

    fix: bool
    fix_only: bool
    unsafe_fixes: bool
    diff: bool

    @classmethod
    def pop_from(cls, options: dict[str, object], paths: Sequence[str]) -> FixOptions:
        """Remove the options of this class from all options and return them."""
        own = {item.name: options.pop(item.name) for item in fields(cls)}
        own["fix"] = own["fix"] or own["fix_only"]
        made = cls(**own)  # type: ignore[arg-type]
        if made.unsafe_fixes and not (made.fix or made.diff):
            raise click.UsageError("--unsafe-fixes needs --fix or --diff")
        if made.fix and not made.diff and "-" in paths:
            raise click.UsageError("standard input cannot be fixed; use --diff")
        return made

    def apply(self, result: Result, again: Callable[[], Result]) -> Result:
        """Apply fixes and check again until none is left; return the last result."""
        if not self.fix or self.diff:
            return result
        from shapecheck.fixes.apply import fixed_files, write_all

        count, files, problems = 0, set[str](), list[str]()
        for _ in range(_MOST_ROUNDS):
            done = write_all(fixed_files(_own(result), unsafe=self.unsafe_fixes), problems)
            if not done:
                break
            count += sum(file.fixes for file in done)
            files |= {file.source.filename for file in done}
            result = again()
        told = f"Fixed {summary.plural(count, 'finding')} in {summary.plural(len(files), 'file')}."
        click.echo(told + self._left(result), err=True)
        return replace(result, problems=list(dict.fromkeys((*result.problems, *problems))))

    def _left(self, result: Result) -> str:
        """Return how many findings have only fixes that are not applied without being asked for."""
        left = sum(1 for finding in _own(result) if finding.fix is not None and not finding.fix.is_safe)
        if not left or self.unsafe_fixes:
            return ""
        have = "has a fix that needs" if left == 1 else "have fixes that need"
        return f" {summary.plural(left, 'finding')} {have} review; --diff --unsafe-fixes shows what would change."

    def tell_problems(self, result: Result) -> int:
        """Print what prevented fixes, and return the exit status of a command that does nothing but fix."""
        for problem in result.problems:
            click.echo(problem, err=True)
        return 2 if result.problems else 0

    def show_diff(self, result: Result) -> int:
        """Print the changes that fixes would make, and return the exit status, as of `diff`."""
        from shapecheck.fixes.apply import fixed_files

        changes = [file.diff() for file in fixed_files(_own(result), unsafe=self.unsafe_fixes)]
        click.echo("".join(changes), nl=False)
        if left := self._left(result):
            click.echo(left.strip(), err=True)
        return self.tell_problems(result) or int(bool(changes))


def _own(result: Result) -> list[Finding]:
    """Return the findings in checked files, not in those that they import."""
    return [finding for finding in result.findings if finding.place.filename in result.checked]
