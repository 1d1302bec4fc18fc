"""Text with edits, which knows where each of its characters was before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Edit = tuple[int, int, str]
"""What stands from one offset up to another is replaced by a text."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A text; `origins` are the offsets of its characters, and of its end, in the first text."""

    text: str
    origins: list[int]

    @classmethod
    def unchanged(cls, text: str, start: int = 0) -> Edited:
        return cls(text, list(range(start, start + len(text) + 1)))

    def original(self, offset: int) -> int:
        return self.origins[min(offset, len(self.origins) - 1)]  # libcst may add a line end

    def after(self, edits: Iterable[Edit]) -> Edited:
        """Return the text after edits that do not overlap."""
        parts: list[str] = []
        origins: list[int] = []
        at = 0
        for start, end, instead in sorted(edits, key=lambda edit: edit[:2]):
            parts += [self.text[at:start], instead]
            origins += [*self.origins[at:start], *[self.origins[start]] * len(instead)]
            at = end
        return Edited("".join([*parts, self.text[at:]]), [*origins, *self.origins[at:]])


def joined(parts: Iterable[Edited]) -> Edited:
    """Return texts that stand one after the other; each ends where the next one starts."""
    texts: list[str] = []
    origins: list[int] = []
    end = 0
    for part in parts:
        texts.append(part.text)
        origins += part.origins[:-1]
        end = part.origins[-1]
    return Edited("".join(texts), [*origins, end])
