"""Lookup of rules by code or name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from shapecheck.config import SEVERITIES, BadConfig, Config, nearest_hint, specificity
from shapecheck.config_files import place_of
from shapecheck.renamed import current_name

if TYPE_CHECKING:
    from shapecheck.report.result import RuleDescription


def described() -> list[RuleDescription]:
    """Return the description of everything that may be reported, by code."""
    from shapecheck.diagnostics import NOTICES
    from shapecheck.rules.rule import all_rules

    return sorted((*all_rules(), *NOTICES), key=lambda rule: rule.code)


def find(word: str) -> RuleDescription:
    """Return the rule with this code or name; a usage error names the nearest one."""
    rules = described()
    code, name = word.upper(), current_name(word.lower())
    for rule in rules:
        if code == rule.code or name == rule.name:
            return rule
    known = [name for rule in rules for name in (rule.code, rule.name)]
    raise click.UsageError(f"no rule named '{word}'{nearest_hint(word, known)}")


def site() -> str:
    """Return the address of the published documentation, if the package names one."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        links = metadata("tensor-shapecheck").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    return next((str(link).partition(", ")[2] for link in links if str(link).startswith("Documentation, ")), "")


def require_known(config: Config) -> None:
    """Raise an error for a selector that matches no rule: it would silently select nothing.

    It is a usage error, or one of the configuration files.
    """
    used = {*config.select, *config.ignore, *config.extend_select, *_flat(config.per_file_ignores.values())}
    if not used:
        return
    kinds = [(rule.code, rule.name, rule.category, rule.severity.value) for rule in described()]
    for selector in sorted(used.difference(SEVERITIES)):
        if all(specificity((selector,), *kind) < 0 for kind in kinds):
            hint = nearest_hint(selector, sorted({word for kind in kinds for word in kind}))
            told = f"unknown rule '{selector}'{hint}"
            raise BadConfig(place_of(config, selector) + told) if config.files else click.UsageError(told)


def _flat(groups: Iterable[tuple[str, ...]]) -> Iterable[str]:
    return (item for group in groups for item in group)
