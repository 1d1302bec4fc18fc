"""Data classes of which there are very many: a type checker holds them immutable, and nothing does at run time.

The check at run time of `dataclasses` makes an instance cost five times as much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses

    def dataclass(*, frozen=False, slots=False, eq=True):
        """Return a decorator like that of `dataclasses`."""

        def made(cls):
            is_hashed = frozen and eq and "__hash__" not in vars(cls)
            return dataclasses.dataclass(slots=slots, eq=eq, unsafe_hash=is_hashed)(cls)

        return made
