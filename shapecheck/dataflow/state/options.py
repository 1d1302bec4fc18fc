"""Options of the command line, as a program reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

from shapecheck.domain.values import Value


@dataclass(slots=True)
class ProgramOptions:
    """Whether the program is traced as it runs with an empty command line, so that defaults hold; whether it reads any
    options; and the values of those that a user may well give all the same."""

    use_defaults: bool = False
    were_read: bool = False
    left_open: set[Value] = field(default_factory=set)
