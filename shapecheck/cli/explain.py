"""`shapecheck explain`: a rule's page."""

from __future__ import annotations

import click

from shapecheck.cli.completion import complete_rules
from shapecheck.cli.output import write


@click.command(name="explain")
@click.argument("rule", shell_complete=complete_rules)
def command(rule: str) -> int:
    """Explain a rule, given by its code or name."""
    from shapecheck.cli.rules import find

    found = find(rule)
    head = f"{found.code} {found.name} ({found.severity.value}, {found.category})"
    write(f"{head}\n\n{found.page.strip()}\n")
    return 0
