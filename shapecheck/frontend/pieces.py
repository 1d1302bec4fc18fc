"""The pieces of an f-string."""

from __future__ import annotations

from shapecheck import ir


class Pieces:
    """Text and expressions; neighbouring text is joined."""

    def __init__(self) -> None:
        self.parts: list[str | ir.Expr] = []
        self.plain = True
        self.specified: set[int] = set()

    def add(self, part: str | ir.Expr) -> None:
        if part == "":
            return
        if isinstance(part, str) and self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += part
        else:
            self.parts.append(part)

    def specify(self) -> None:
        """Note that the last part has a format specification."""
        self.specified.add(len(self.parts) - 1)
