"""Maps: images and similar tensors, with one, two or three spatial axes and the channels before or after them.

    maps = Maps.of(2, data_format)
    return maps("n h.. c, p.. c o -> n H.. o"), *maps.window(None, strides, padding)

is a convolution. Signatures are written for channels that come last: `h..` is the spatial axes, `H..` the spatial axes
of the result, `{h * k}..` a size computed from each, `p..` the axes of a kernel, `1..` as many axes of size 1 and `_..`
as many of any size. Where the data format puts the channels first, what follows the spatial axes of a batch is moved
before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from shapecheck.domain.values import Const, Value, as_sizes, items_of
from shapecheck.models.lang.parameter_kinds import Blind, Sizes, Tensor
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
    """The number of spatial axes, and whether the channels come before them."""

    axes: int
    first: bool = False

    @staticmethod
    def of(axes: int, data_format: str | Value | None) -> Maps:
        """Return maps in a data format, such as "channels_first", "NCHW" or "NC"."""
        return Maps(axes, is_first(data_format))

    @staticmethod
    def like(inputs: Tensor, data_format: str | Value | None) -> Maps:
        """Return maps with as many spatial axes as the inputs have besides batch and channels."""
        if inputs.rank not in (3, 4, 5):
            raise Blind("how many spatial axes there are")
        return Maps(inputs.rank - 2, is_first(data_format))

    @property
    def channel(self) -> int:
        """Return the axis of the channels."""
        return -self.axes - 1 if self.first else -1

    def __call__(self, text: str) -> str:
        """Return the signature in the order of the data format."""
        return _written(text, self.axes, self.first)

    def each(self, text: str) -> list[str]:
        """Return a template with `{h}` and `{H}` filled in for each spatial axis."""
        return [text.format(h=name, H=name.upper()) for name in SPATIAL[self.axes].split()]

    def named(self, prefix: str, sizes: Iterable[Size]) -> dict[str, Any]:
        """Return a size for each spatial axis, by a prefix and the axis's name."""
        return {prefix + name: size for name, size in zip(SPATIAL[self.axes].split(), sizes, strict=True)}

    def become(self, sizes: Sequence[Size | str]) -> dict[str, Any]:
        """Return the sizes of `H..`, given or computed."""
        return dict(zip(SPATIAL[self.axes].upper().split(), sizes, strict=True))

    def window(
        self,
        kernel: Sizes | None,
        strides: Sizes,
        padding: str | Value,
        dilations: Sizes | None = None,
        may_be_empty: bool = False,
    ) -> Extras:
        """Return the spatial axes that a window gives, and the constraint that it fits; without a kernel, `p..` is its
        size. The padding has a name, or there is a pair of widths for each axis.
        """
        wide = KERNEL[self.axes] if kernel is None else self.inner(kernel).spread(self.axes)
        gaps = None if dilations is None else self.inner(dilations)
        said, added = (padding, ()) if isinstance(padding, str) else ("VALID", self.added(padding))
        return window(SPATIAL[self.axes], wide, self.inner(strides), said, gaps, may_be_empty, added)

    def added(self, padding: Value) -> list[Size]:
        """Return how much padding lengthens the spatial axes; raise `Blind` where the widths are not known."""
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
        """Return the spatial axes that a transposed convolution gives."""
        return unwindow(SPATIAL[self.axes], kernel, strides, padding, dilations, added)

    def inner(self, sizes: Sizes) -> Sizes:
        """Return the entries for the spatial axes; a list may have entries for batch and channels too, or one for all
        axes.
        """
        if sizes.known is None or sizes.is_single:
            return sizes
        if len(sizes.known) == 1:
            return replace(sizes, is_single=True)
        return replace(sizes, known=self.spatial(sizes.known)) if len(sizes.known) == self.axes + 2 else sizes

    def spatial(self, sizes: tuple[Size, ...]) -> tuple[Size, ...]:
        """Return the sizes of the spatial axes, from those of a whole batch."""
        return sizes[2:] if self.first else sizes[1:-1]

    def whole(self, batch: Size, sizes: tuple[Size, ...], channels: Size) -> Shape:
        """Return the shape of a whole batch."""
        return Shape((batch, channels, *sizes) if self.first else (batch, *sizes, channels))


def is_first(data_format: str | Value | None) -> bool:
    """Return whether channels come before the spatial axes."""
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
