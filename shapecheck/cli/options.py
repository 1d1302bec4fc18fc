"""Structured option values: selectors, patterns with selectors, versions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from shapecheck.cli.completion import complete_rules
from shapecheck.config import BadConfig, valid_target


def selectors(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    """Parse selectors, separated by commas, of an option that may be repeated."""
    return tuple(word for value in values for word in _words(value))


rules_option = partial(click.option, multiple=True, callback=selectors, metavar="RULES", shell_complete=complete_rules)
"""An option that takes selectors of rules."""


def file_ignores(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Parse `GLOB:RULES`, which may be repeated."""
    merged: dict[str, tuple[str, ...]] = {}
    for value in values:
        pattern, _, rules = value.rpartition(":")
        if not (pattern and _words(rules)):
            raise click.BadParameter(f"'{value}' is not of the form 'tests/*:SHP101,mismatch'")
        merged[pattern] = merged.get(pattern, ()) + _words(rules)
    return merged


def versions(ctx: click.Context, param: click.Parameter, value: str | None) -> dict[str, str]:
    """Parse `tensorflow=2.21,keras=3`."""
    target = {}
    for pair in _words(value or ""):
        name, _, version = pair.partition("=")
        if not (name.strip() and version.strip()):
            raise click.BadParameter(f"'{value}' is not of the form 'tensorflow=2.21,keras=3'")
        target[name.strip()] = version.strip()
    try:
        return dict(valid_target(target))
    except BadConfig as error:
        raise click.BadParameter(str(error)) from None


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
