"""`shapecheck rule`: rules as a table or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from shapecheck.cli.completion import complete_rules
from shapecheck.cli.output import write

if TYPE_CHECKING:
    from shapecheck.report.result import RuleDescription


@click.command(name="rule")
@click.argument("rule", required=False, shell_complete=complete_rules)
@click.option("--all", "every", is_flag=True, help="List every rule.")
@click.option("--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(rule: str | None, every: bool, form: str) -> int:
    """Show what a rule reports, or all rules (--all)."""
    if every == bool(rule):
        raise click.UsageError("give a rule or --all")
    from shapecheck.cli.rules import described, find

    rules = described() if rule is None else [find(rule)]
    if form == "json":
        write(json.dumps([_as_dict(item) for item in rules], indent=2, ensure_ascii=False) + "\n")
    else:
        width = max((len(item.name) for item in rules), default=0)
        write("".join(f"{item.code}  {item.name:{width}}  {item.severity.value:7}  {item.summary}\n" for item in rules))
    return 0


def _as_dict(rule: RuleDescription) -> dict[str, str | None]:
    from shapecheck.report.json import page_of

    return {
        "code": rule.code,
        "name": rule.name,
        "category": rule.category,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "url": page_of(rule.category, rule.name),
    }
