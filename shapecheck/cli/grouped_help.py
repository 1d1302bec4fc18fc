"""Help in which options stand in groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click

OTHER = "Other options"


class GroupedCommand(click.Command):
    """A command whose help shows its options in groups; `groups` has their titles, with the names of the options."""

    groups: ClassVar[Mapping[str, str]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        titles = {name: title for title, names in self.groups.items() for name in names.split()}
        found: dict[str, list[tuple[str, str]]] = {title: [] for title in (*self.groups, OTHER)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                found[next((titles[name] for name in parameter.opts if name in titles), OTHER)].append(record)
        for title, records in found.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
