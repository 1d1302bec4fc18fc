"""Maps: pictures and the like, with one, two or three spatial axes and the channels before or after them.

    maps = Maps.of(2, data_format)
    return maps("n h.. c, p.. c o -> n H.. o"), *maps.window(None, strides, padding)

is a convolution.  Signatures are written for channels that come last: `h..` stands for the spatial axes, `H..` for what
becomes of them, `{h * k}..` for a size computed from each, `p..` for the axes of a kernel, `1..` for as many axes of
size 1 and `_..` of any.  Where the data format puts the channels first, what follows the spatial axes of a batch goes
before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from shapecheck.domain.values import Const, Value, as_sizes, items_of
from shapecheck.models.lang.kinds import Blind, Sizes, Tensor
from shapecheck.models.lang.window import Extras, unwindow, window
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

SPATIAL = {1: "w", 2: "h w", 3: "d h w"}
KERNEL = {1: "q", 2: "p q", 3: "r p q"}
ONE: Any = 1  # the default of strides and dilations: 1 for each axis
_SPATIAL = re.compile(r"\b(?P<letter>[hHp1_])\.\.|(?P<computed>\{[^}]*\})\.\.")
_BEFORE_CHANNELS = re.compile(r"(?<=\w )((?:[hH1_]|\{[^}]*\})\.\.)( \{[^}]*\}| [^\s,]+)")


@dataclass(frozen=True, slots=True)
class Maps:
    """How many spatial axes there are, and whether the channels come before them."""

    axes: int
    first: bool = False

    @staticmethod
    def of(axes: int, data_format: str | Value | None) -> Maps:
        """Maps in a data format, be it called "channels_first", "NCHW" or "NC"."""
        return Maps(axes, is_first(data_format))

    @staticmethod
    def like(inputs: Tensor, data_format: str | Value | None) -> Maps:
        """Maps with as many spatial axes as the inputs have besides batch and channels."""
        if inputs.rank not in (3, 4, 5):
            raise Blind("how many spatial axes there are")
        return Maps(inputs.rank - 2, is_first(data_format))

    @property
    def channel(self) -> int:
        """The axis of the channels."""
        return -self.axes - 1 if self.first else -1

    def __call__(self, text: str) -> str:
        """The signature in the order of the data format."""
        return _written(text, self.axes, self.first)

    def each(self, text: str) -> list[str]:
        """What is said of `{h}`, and what becomes of it, `{H}`, said of each spatial axis."""
        return [text.format(h=name, H=name.upper()) for name in SPATIAL[self.axes].split()]

    def named(self, prefix: str, sizes: Iterable[Size]) -> dict[str, Any]:
        """A size for each spatial axis, by the axis's name after a prefix."""
        return {prefix + name: size for name, size in zip(SPATIAL[self.axes].split(), sizes, strict=True)}

    def become(self, sizes: Sequence[Size | str]) -> dict[str, Any]:
        """The sizes of `H..`, told or computed."""
        return dict(zip(SPATIAL[self.axes].upper().split(), sizes, strict=True))

    def window(
        self,
        kernel: Sizes | None,
        strides: Sizes,
        padding: str | Value,
        dilations: Sizes | None = None,
        may_be_empty: bool = False,
    ) -> Extras:
        """What a window makes of the spatial axes, and that it fits; without a kernel, `p..` tells how wide it is.  The
        padding has a name, or there is a pair of widths for each axis."""
        wide = KERNEL[self.axes] if kernel is None else self.inner(kernel).spread(self.axes)
        gaps = None if dilations is None else self.inner(dilations)
        said, added = (padding, ()) if isinstance(padding, str) else ("VALID", self.added(padding))
        return window(SPATIAL[self.axes], wide, self.inner(strides), said, gaps, may_be_empty, added)

    def added(self, padding: Value) -> list[Size]:
        """How much longer the spatial axes are with their pairs of widths; raises `Blind` where those are not known."""
        pairs = [as_sizes(pair) for pair in items_of(padding) or ()]
        known = [sum(pair, start=cast("Size", 0)) for pair in pairs if pair is not None and len(pair) == 2]
        if len(known) < len(pairs) or len(known) != self.axes + 2:
            raise Blind("the widths of the padding")
        return list(self.spatial(tuple(known)))

    def unwindow(
        self,
        kernel: Sizes,
        strides: Sizes,
        padding: str,
        dilations: Sizes | None = None,
        added: Sizes | None = None,
    ) -> dict[str, Any]:
        """What a transposed convolution makes of the spatial axes."""
        return unwindow(SPATIAL[self.axes], kernel, strides, padding, dilations, added)

    def inner(self, sizes: Sizes) -> Sizes:
        """The entries for the spatial axes; a list may have entries for batch and channels too, or one for all axes."""
        if sizes.known is None or sizes.is_single:
            return sizes
        if len(sizes.known) == 1:
            return replace(sizes, is_single=True)
        return replace(sizes, known=self.spatial(sizes.known)) if len(sizes.known) == self.axes + 2 else sizes

    def spatial(self, sizes: tuple[Size, ...]) -> tuple[Size, ...]:
        """Of the sizes of a whole batch, those of the spatial axes."""
        return sizes[2:] if self.first else sizes[1:-1]

    def whole(self, batch: Size, sizes: tuple[Size, ...], channels: Size) -> Shape:
        """The shape of a whole batch."""
        return Shape((batch, channels, *sizes) if self.first else (batch, *sizes, channels))


def is_first(data_format: str | Value | None) -> bool:
    """Whether channels come before the spatial axes."""
    said = data_format.value if isinstance(data_format, Const) else data_format
    if said is not None and not isinstance(said, str):
        raise Blind("data_format")
    return isinstance(said, str) and (said == "channels_first" or said.upper().startswith("NC"))


@cache
def _written(text: str, axes: int, first: bool) -> str:
    if first:
        text = _BEFORE_CHANNELS.sub(lambda found: f"{found[2].strip()} {found[1]}", text)
    return _SPATIAL.sub(lambda found: _spelled(found, axes), text)


def _spelled(found: re.Match[str], axes: int) -> str:
    if found["computed"]:
        return " ".join(re.sub(r"\bh\b", name, found["computed"]) for name in SPATIAL[axes].split())
    same = {"h": SPATIAL[axes], "H": SPATIAL[axes].upper(), "p": KERNEL[axes]}
    return same.get(found["letter"]) or " ".join(found["letter"] * axes)
