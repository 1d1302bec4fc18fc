"""Completion of words in a shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the codes, names and categories that continue the last of several selectors."""
    from click.shell_completion import CompletionItem

    from shapecheck.cli.rules import described

    before, comma, word = incomplete.rpartition(",")
    rules = described()
    words = [(each, rule.summary) for rule in rules for each in (rule.code, rule.name)]
    words += [(category, f"all rules of {category}") for category in sorted({rule.category for rule in rules})]
    fitting = [(each, told) for each, told in words if each.lower().startswith(word.lower())]
    return [CompletionItem(f"{before}{comma}{each}", help=told) for each, told in fitting]


def with_paths(commands: list[CompletionItem], incomplete: str) -> list[CompletionItem]:
    """Return the completions of a first word, which is a command or a path."""
    from click.shell_completion import CompletionItem

    return [*commands, CompletionItem(incomplete, type="file")]
