"""A drawing as SVG: boxes with text, the lines between them, and frames around groups. It knows no program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from itertools import pairwise

from shapecheck.report.drawing.layout import Edge, Layout, Point, layered
from shapecheck.report.style import printable, width

_MARGIN = 12.0
_PADDING = 10.0
_LINE = 16.0
_HEADING = 22.0
_TITLE_COLUMN, _TEXT_COLUMN = 7.7, 6.7  # pixels of a column in the two fonts
_MOST_COLUMNS = 44


@dataclass(frozen=True, slots=True)
class Node:
    """A box: a title and lines below it; `kind` is the name of its style, `group` the number of the frame around it,
    `note` is shown when it is pointed at, and `link` is where it leads."""

    title: str
    lines: tuple[str, ...] = ()
    kind: str = "op"
    group: int | None = None
    note: str = ""
    link: str = ""

    @property
    def size(self) -> Point:
        widest = max([_columns(self.title) * _TITLE_COLUMN, *(_columns(line) * _TEXT_COLUMN for line in self.lines)])
        return round(widest + 2 * _PADDING), _LINE * (1 + len(self.lines)) + _PADDING


@dataclass(frozen=True, slots=True)
class Group:
    """A frame with a title, possibly inside another one."""

    title: str
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes, the lines between them by number, and the groups. `title` describes all of it."""

    title: str
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    groups: Sequence[Group] = ()


def svg(drawing: Drawing, *, is_alone: bool = False) -> str:
    """Return the drawing; with its own styles if it is alone."""
    placed = _Placed(drawing)
    wide, high = (round(size + 2 * _MARGIN) for size in placed.place(None, _MARGIN, _MARGIN))
    space = ' xmlns="http://www.w3.org/2000/svg"' if is_alone else ""
    head = f'<svg{space} class="drawing" role="img" aria-label="{_attribute(drawing.title)}" '
    head += f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
    style = f"<style>{styles()}</style>" if is_alone else ""
    return "".join([head, style, *placed.frames(), *placed.lines(), *placed.boxes(), "</svg>"])


def page(drawing: Drawing, name: str) -> str:
    """Return a page with nothing but the drawing."""
    title, scheme = escape(printable(name)), '<meta name="color-scheme" content="light dark">'
    head = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{scheme}<title>{title}</title>'
    return f"{head}</head><body>\n<h1>{title}</h1>\n{svg(drawing, is_alone=True)}\n</body></html>\n"


@cache
def styles() -> str:
    """Return the style sheet of drawings."""
    return files(__package__).joinpath("drawing.css").read_text(encoding="utf-8")


@dataclass
class _Placed:
    """A drawing whose groups are laid out from the inside to the outside, each as one box of the group around it."""

    drawing: Drawing
    corners: dict[int, Point] = field(default_factory=dict)
    areas: dict[int, tuple[Point, Point]] = field(default_factory=dict)
    layouts: dict[int | None, tuple[Layout, list[tuple[int | None, int]]]] = field(default_factory=dict)
    origins: dict[int | None, Point] = field(default_factory=dict)

    def place(self, group: int | None, x: float, y: float) -> Point:
        """Place the contents of a group; return its size."""
        layout, members = self._laid_out(group)
        self.origins[group] = x, y
        for (inner, node), (left, top) in zip(members, layout.corners, strict=True):
            if inner is None:
                self.corners[node] = x + left, y + top
            else:
                size = self._size(inner)
                self.areas[inner] = (x + left, y + top), size
                self.place(inner, x + left + _PADDING, y + top + _HEADING)
        return layout.width, layout.height

    def _size(self, group: int) -> Point:
        layout, _ = self._laid_out(group)
        heading = _columns(self.drawing.groups[group].title) * _TEXT_COLUMN + 2 * _PADDING
        return max(layout.width + 2 * _PADDING, heading), layout.height + _HEADING + _PADDING

    def _laid_out(self, group: int | None) -> tuple[Layout, list[tuple[int | None, int]]]:
        """Return the layout of a group, and its members: boxes, or groups with the number of their first box."""
        if group not in self.layouts:
            numbers: dict[tuple[int | None, int], int] = {}
            for node in range(len(self.drawing.nodes)):
                member = self._member(node, group)
                if member is not None:
                    numbers.setdefault(member, len(numbers))
            sizes = [self.drawing.nodes[n].size if g is None else self._size(g) for g, n in numbers]
            lifted = [(self._member(start, group), self._member(end, group)) for start, end in self.drawing.edges]
            edges = [(numbers[a], numbers[b]) for a, b in lifted if a is not None and b is not None and a != b]
            self.layouts[group] = layered(sizes, edges), list(numbers)
        return self.layouts[group]

    def _member(self, node: int, group: int | None) -> tuple[int | None, int] | None:
        """Return what a box is part of within a group: itself, or the inner group around it, with its number twice;
        None if it lies elsewhere."""
        at = self.drawing.nodes[node].group
        inner = None
        while at != group:
            if at is None:
                return None
            inner, at = at, self.drawing.groups[at].parent
        return (None, node) if inner is None else (inner, -1)

    # --- what is seen ------------------------------------------------------------------------------------------------

    def frames(self) -> Iterator[str]:
        for group, ((x, y), (wide, high)) in sorted(self.areas.items()):
            title = self.drawing.groups[group].title
            yield f'<g class="group">{_rect(x, y, wide, high, 8)}'
            yield f'<text x="{x + _PADDING:g}" y="{y + 15:g}">{_text(title)}</text></g>'

    def lines(self) -> Iterator[str]:
        for start, end in dict.fromkeys(self.drawing.edges):
            if start != end:
                kind = self.drawing.nodes[end].kind
                yield f'<path class="line to-{kind}" d="{_curve(self._points(start, end))}"/>'

    def _points(self, start: int, end: int) -> list[Point]:
        (x, y), (wide, high) = self.corners[start], self.drawing.nodes[start].size
        (to_x, to_y), (to_wide, _) = self.corners[end], self.drawing.nodes[end].size
        return [(x + wide / 2, y + high), *self._bends(start, end), (to_x + to_wide / 2, to_y)]

    def _bends(self, start: int, end: int) -> list[Point]:
        """Return where a line bends in the innermost group that both of its ends are in."""
        group = self.drawing.nodes[start].group
        while self._member(end, group) is None and group is not None:
            group = self.drawing.groups[group].parent
        layout, members = self._laid_out(group)
        first, last = self._member(start, group), self._member(end, group)
        if first is None or last is None:
            return []
        x, y = self.origins[group]
        bends = layout.bends.get((members.index(first), members.index(last)), ())
        return [(x + left, y + top) for left, top in bends]

    def boxes(self) -> Iterator[str]:
        for number, node in enumerate(self.drawing.nodes):
            (x, y), (wide, high) = self.corners[number], node.size
            parts = [_rect(x, y, wide, high, 5)]
            parts.append(f'<text class="title" x="{x + wide / 2:g}" y="{y + 17:g}">{_text(node.title)}</text>')
            for row, line in enumerate(node.lines, 1):
                parts.append(f'<text x="{x + wide / 2:g}" y="{y + 17 + row * _LINE:g}">{_text(line)}</text>')
            note = f"<title>{escape(printable(node.note))}</title>" if node.note else ""
            box = f'<g class="box {node.kind}">{note}{"".join(parts)}</g>'
            yield f'<a href="{_attribute(node.link)}">{box}</a>' if node.link else box


def _rect(x: float, y: float, wide: float, high: float, radius: int) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{radius}"/>'


def _curve(points: Sequence[Point]) -> str:
    """Return a path that leaves and reaches each point vertically."""
    path = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        middle = (y + to_y) / 2
        straight = x == to_x
        path.append(f"V{to_y:g}" if straight else f"C{x:g} {middle:g} {to_x:g} {middle:g} {to_x:g} {to_y:g}")
    return "".join(path)


def _columns(text: str) -> int:
    return min(width(printable(text)), _MOST_COLUMNS)


def _text(text: str) -> str:
    shown = printable(text)
    return escape(shown if len(shown) <= _MOST_COLUMNS else shown[: _MOST_COLUMNS - 1] + "…", quote=False)


def _attribute(text: str) -> str:
    return escape(printable(text), quote=True)
