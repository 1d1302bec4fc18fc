"""Options of the command line that a program reads."""

from __future__ import annotations

from dataclasses import dataclass, field

from shapecheck.domain.values import Value


@dataclass(slots=True)
class ProgramOptions:
    """The command line of the traced program.

    `use_defaults` says that it is traced with an empty command line. `were_read` says that it reads any options.
    `left_open` are values that a user may pass nevertheless.
    """

    use_defaults: bool = False
    were_read: bool = False
    left_open: set[Value] = field(default_factory=set)
