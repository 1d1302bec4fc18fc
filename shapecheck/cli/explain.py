"""`shapecheck explain`: a rule's page."""

from __future__ import annotations

import re

import click

from shapecheck.cli.completion import complete_rules
from shapecheck.cli.output import write

_SECTION = re.compile(r"^(?=## )", re.MULTILINE)


@click.command(name="explain")
@click.argument("rule", shell_complete=complete_rules)
def command(rule: str) -> int:
    """Explain a rule, given by its code or name."""
    from shapecheck.cli.rules import find

    found = find(rule)
    head = f"{found.code} {found.name} ({found.severity.value}, {found.category})"
    write(f"{head}\n\n{_with_example_first(found.page).strip()}\n")
    return 0


def _with_example_first(page: str) -> str:
    """Return a page that opens with its example, of which the shortest is first."""
    title, *sections = _SECTION.split(page)
    at = next((at for at, section in enumerate(sections) if section.startswith("## Example")), 0)
    return "".join((title, *sections[at : at + 1], *sections[:at], *sections[at + 1 :]))
