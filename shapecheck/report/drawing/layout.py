"""A layered layout of a small graph: sources above, edges down, few crossings. It knows boxes, not what they stand for.

Nodes are numbered in an order in which most edges lead from a lower to a higher number; the others, those around loops,
do not affect the layers. All measures are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

GAP = 18.0
"""Between neighbours in a layer."""
LAYER_GAP = 30.0
"""Between two layers."""
WIDEST = 1400.0
"""Beyond which parts that are not joined begin another row."""
_SWEEPS = 6

Point = tuple[float, float]
Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """The upper left corner of each node, the points between the ends of edges that pass layers, and the size."""

    corners: list[Point]
    bends: dict[Edge, list[Point]]
    width: float
    height: float


def layered(sizes: Sequence[Point], edges: Sequence[Edge]) -> Layout:
    """Return the layout of nodes of these widths and heights; parts that no edge joins lie side by side, in rows."""
    whole = Layout([(0.0, 0.0)] * len(sizes), {}, 0, 0)
    x = y = high = wide = 0.0
    for part in _parts(len(sizes), edges):
        number = {node: at for at, node in enumerate(part)}
        inner = [(number[start], number[end]) for start, end in edges if start in number]
        layout = _connected([sizes[node] for node in part], inner)
        if x > 0 and x + layout.width > WIDEST:
            x, y, high = 0.0, y + high + LAYER_GAP, 0.0
        for node, (left, top) in zip(part, layout.corners, strict=True):
            whole.corners[node] = x + left, y + top
        for (start, end), points in layout.bends.items():
            whole.bends[part[start], part[end]] = [(x + left, y + top) for left, top in points]
        wide, high = max(wide, x + layout.width), max(high, layout.height)
        x += layout.width + GAP
    return Layout(whole.corners, whole.bends, wide, y + high)


def _parts(count: int, edges: Sequence[Edge]) -> list[list[int]]:
    """Return the nodes of each part of the graph, in the order of their first ones."""
    part = list(range(count))
    for start, end in edges:
        first, second = sorted((part[start], part[end]))
        if first != second:
            part = [first if number == second else number for number in part]
    found: dict[int, list[int]] = {}
    for node, number in enumerate(part):
        found.setdefault(number, []).append(node)
    return list(found.values())


def _connected(sizes: Sequence[Point], edges: Sequence[Edge]) -> Layout:
    work = _Work([width for width, _ in sizes])
    work.add_layers(_layers(len(sizes), edges), edges)
    for sweep in range(_SWEEPS):
        work.order(upwards=sweep % 2 == 1)
    for sweep in range(_SWEEPS):
        work.align(upwards=sweep % 2 == 1)
    left = min(centre - work.widths[node] / 2 for node, centre in work.centres.items())
    right = max(centre + work.widths[node] / 2 for node, centre in work.centres.items())
    heights = [max((sizes[node][1] for node in layer if node < len(sizes)), default=0.0) for layer in work.layers]
    tops = [sum(heights[:number]) + number * LAYER_GAP for number in range(len(heights))]
    corners: list[Point] = [(0.0, 0.0)] * len(sizes)
    bends: dict[Edge, list[Point]] = {}
    for layer, top, height in zip(work.layers, tops, heights, strict=True):
        for node in layer:
            x = work.centres[node] - left
            if node < len(sizes):
                corners[node] = (x - sizes[node][0] / 2, top + (height - sizes[node][1]) / 2)
            else:
                bends.setdefault(work.long[node], []).extend([(x, top), (x, top + height)])
    return Layout(corners, bends, right - left, tops[-1] + heights[-1])


def _layers(count: int, edges: Sequence[Edge]) -> list[int]:
    """Return the layer of each node: below all that it reads, and no higher than needed."""
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for start, end in edges:
        if start < end:
            above[end].append(start)
            below[start].append(end)
    layer = [0] * count
    for node in range(count):
        layer[node] = 1 + max((layer[other] for other in above[node]), default=-1)
    for node in reversed(range(count)):
        if below[node] and not above[node]:
            layer[node] = min(layer[other] for other in below[node]) - 1
    return layer


@dataclass
class _Work:
    """Nodes in layers, among them those that stand for edges which pass a layer, and the centres of all."""

    widths: list[float]
    layers: list[list[int]] = field(default_factory=list)
    above: dict[int, list[int]] = field(default_factory=dict)
    below: dict[int, list[int]] = field(default_factory=dict)
    long: dict[int, Edge] = field(default_factory=dict)
    centres: dict[int, float] = field(default_factory=dict)

    def add_layers(self, layer: Sequence[int], edges: Sequence[Edge]) -> None:
        self.layers = [[] for _ in range(max(layer) + 1)]
        for node, number in enumerate(layer):
            self.layers[number].append(node)
        for start, end in dict.fromkeys(edges):
            if start >= end:
                continue
            last = start
            for number in range(layer[start] + 1, layer[end]):
                passing = len(self.widths)
                self.widths.append(0.0)
                self.long[passing] = start, end
                self.layers[number].append(passing)
                self._join(last, passing)
                last = passing
            self._join(last, end)
        for row in self.layers:
            self._place(row, [0.0] * len(row))

    def _join(self, start: int, end: int) -> None:
        self.below.setdefault(start, []).append(end)
        self.above.setdefault(end, []).append(start)

    def _wanted(self, row: Sequence[int], upwards: bool) -> list[float]:
        """Return for each node of a layer the mean of the centres of those that it is joined to."""
        joined = self.below if upwards else self.above
        others = [joined.get(node, ()) for node in row]
        return [
            sum(self.centres[other] for other in near) / len(near) if near else self.centres[node]
            for node, near in zip(row, others, strict=True)
        ]

    def order(self, upwards: bool) -> None:
        """Sort each layer by the centres of those above or below it."""
        for row in reversed(self.layers) if upwards else self.layers:
            wanted = dict(zip(row, self._wanted(row, upwards), strict=True))
            row.sort(key=wanted.__getitem__)
            self._place(row, [wanted[node] for node in row])

    def align(self, upwards: bool) -> None:
        """Move the nodes of each layer below or above those that they are joined to, in the present order."""
        for row in reversed(self.layers) if upwards else self.layers:
            self._place(row, self._wanted(row, upwards))

    def _place(self, row: Sequence[int], wanted: Sequence[float]) -> None:
        """Give the nodes of a layer the centres that are nearest to the wanted ones without overlaps."""
        offsets = [0.0]
        for left, right in pairwise(row):
            offsets.append(offsets[-1] + (self.widths[left] + self.widths[right]) / 2 + GAP)
        shifts = _ascending([want - offset for want, offset in zip(wanted, offsets, strict=True)])
        for node, shift, offset in zip(row, shifts, offsets, strict=True):
            self.centres[node] = shift + offset


def _ascending(values: Sequence[float]) -> list[float]:
    """Return the ascending values that are nearest to these, by squares: neighbours in the wrong order are pooled."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]
