"""The exception for files that cannot be analysed."""

from __future__ import annotations


class UnparsableSource(Exception):
    """A one-line reason, and its character offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset

    def __reduce__(self) -> tuple[type[UnparsableSource], tuple[str, int]]:
        return type(self), (self.message, self.offset)
