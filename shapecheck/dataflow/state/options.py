"""Options of the command line that a program reads."""

from __future__ import annotations

from dataclasses import dataclass, field

from shapecheck.domain.values import Value


@dataclass(slots=True)
class ProgramOptions:
    """The way in which the traced program is started.

    `is_main` says that files run as `__main__`, and not only as modules. `use_defaults` says that it is traced with an
    empty command line. `is_later` says that the file was traced before with other assumptions, `is_brief` that only the
    first part is traced. `were_read` says that it reads any options. `left_open` are values that a user may pass
    nevertheless.
    """

    is_main: bool = True
    use_defaults: bool = False
    is_later: bool = False
    is_brief: bool = False
    were_read: bool = False
    left_open: set[Value] = field(default_factory=set)
