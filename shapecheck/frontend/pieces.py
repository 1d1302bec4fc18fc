"""The pieces of an f-string."""

from __future__ import annotations

from shapecheck import ir


class Pieces:
    """Text and expressions; neighbouring text is joined."""

    def __init__(self) -> None:
        self.parts: list[str | ir.Expr] = []
        self.plain = True

    def add(self, part: str | ir.Expr) -> None:
        if part == "":
            return
        if isinstance(part, str) and self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += part
        else:
            self.parts.append(part)
