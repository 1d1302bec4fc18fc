"""Comments that say the shape of what their line computes: `# (B, T, 128)`, `# shape: [N, 10]`, `# reveal: (2, 3)`.

They are compared only where they are unmistakable, since a comment may as well name elements, show values or hold code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Const, Int, Tensor, Value, as_size
from shapecheck.models.lang.written_shapes import Bindings, demands
from shapecheck.shapes import solve
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.text import show
from shapecheck.shapes.written import ANY, Axes, Unreadable, of_list
from shapecheck.source import Place, Source

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_LIST = r"(?P<list>\([^()\[\]]*\)|\[[^()\[\]]*\])"
_REVEAL = re.compile(rf"#\s*reveal:\s*{_LIST}\s*(?:\w+\s*)?(?:#.*)?")
_SHAPE = re.compile(rf"#\s*(?:(?P<word>[Ss]hape|SHAPE)\s*[:=]?\s*|[-=]>\s*)?{_LIST}\s*\.?\s*(?:#.*)?")
_AXIS = re.compile(
    r"[A-Z][A-Z0-9_]*|[abcdefhklmnoqstw]\d?|\d+|\.\.\.|None|\?|-1|batch|time|height|width|channels?|seq|features?|classes"
    r"|steps|heads|tokens|hidden|units|samples|\w+_(?:size|len|length|dim|units|classes|steps|heads)|(?:n|num)_\w+"
)
_BATCHES = re.compile(r"[BN]|None|\?|-1|batch(?:_size)?|b|n")


@dataclass(frozen=True, slots=True)
class ShapeComment:
    """A comment that states a shape: its place, its text, its axes, and whether it can mean nothing else."""

    place: Place
    text: str
    axes: Axes
    is_certain: bool


@dataclass(slots=True)
class ShapeComments:
    """The comments of each file that state shapes, by the row that they are about."""

    by_file: dict[str, dict[int, ShapeComment]] = field(default_factory=dict)

    def of(self, t: Tracer, source: Source) -> dict[int, ShapeComment]:
        found = self.by_file.get(source.filename)
        if found is None:
            module = t.program.parsed.modules.get(source.filename)
            found = self.by_file[source.filename] = {} if module is None else _stated(source, module.comments)
        return found


def _stated(source: Source, comments: Iterable[ir.Comment]) -> dict[int, ShapeComment]:
    found = {}
    for comment in comments:
        match = _REVEAL.fullmatch(comment.text.strip()) or _SHAPE.fullmatch(comment.text.strip())
        if match is None:
            continue
        is_reveal = match.re is _REVEAL
        start = source.line_starts[source.position(comment.start)[0] - 1]
        is_alone = not source.text[start : comment.start].strip()
        axes = _axes(match["list"], is_stated=is_reveal or match["word"] is not None)
        if axes is not None and (is_reveal or not is_alone):
            place = Place(source, comment.start, comment.start + len(comment.text.rstrip()))
            row = source.position(comment.start)[0] + is_alone
            found[row] = ShapeComment(place, match["list"], axes, is_reveal)
    return found


def _axes(text: str, *, is_stated: bool) -> Axes | None:
    """Return the axes of a list; None if it may be something else, or is no shape. Numbers alone may be values, and so
    may be numbers that go on."""
    words = [word for word in text[1:-1].replace(" ", "").split(",") if word]
    if not is_stated and (len(words) < 2 or all(word == "..." or word.removeprefix("-").isdigit() for word in words)):
        return None
    try:
        return of_list(text) if all(map(_AXIS.fullmatch, words)) else None
    except Unreadable:
        return None


def check_comment(t: Tracer, node: ir.Assign | ir.Evaluate | ir.Return, value: Value, frame: Frame) -> None:
    """Compare what a statement computes with a comment in its last row, or for `# reveal:` in the row before it."""
    stated = t.component(ShapeComments).of(t, frame.source)
    if not stated or not isinstance(value, Tensor) or not value.shape.is_ranked:
        return
    first, last = (frame.source.position(at)[0] for at in (node.start, node.end))
    comment = stated.get(last)
    if comment is None or (comment.place.start < node.end and first != last):
        return
    shape = value.shape.map(t.path.facts.resolve)
    step = t.add_step("op", "comment", [value], {}, comment.place)
    if _is_wrong(t, comment, shape, frame):
        with t.during(step):
            notice(t, ClashKind.COMMENT, f"the shape is {show(shape)}", value)


def _is_wrong(t: Tracer, comment: ShapeComment, shape: Shape, frame: Frame) -> bool:
    if _contradicts(t, comment.axes, shape) is False:
        return False
    if comment.is_certain:
        return True
    if _is_called_by_test(t, frame):
        return False  # its data may be smaller
    words = [word.strip() for word in comment.text[1:-1].split(",") if word.strip()]
    names = [word for word in words if word.isidentifier() and word != "None"]
    if any(not _may_be_size(frame.variable(t.heap, name)) for name in names):
        return False  # code that is commented out
    sizes = shape.head
    if not sizes or not isinstance(sizes[-1], int) or (len(names) == len(words) == sizes[-1]):
        return False  # names of elements
    if sizes == (len(words),):
        return False  # the elements, as those of a shape
    starts_with_batch = _BATCHES.fullmatch(words[0]) is not None
    is_of_one = len(sizes) == len(words) + 1 and not starts_with_batch
    is_called_with_one = len(sizes) == len(words) - 1 and starts_with_batch and frame.kind == "function"
    others = (ANY, *comment.axes) if is_of_one else comment.axes[1:] if is_called_with_one else None
    return others is None or _contradicts(t, others, shape)  # the batch may be left out


def _is_called_by_test(t: Tracer, frame: Frame) -> bool:
    """Return whether a test in another file is running."""
    running = (t.functions[key] for key in t.call_stack.functions)
    tests = (each for each in running if isinstance(each.node, ir.FunctionDef) and each.node.name.startswith("test"))
    return any(each.frame.source.filename != frame.source.filename for each in tests)


def _contradicts(t: Tracer, axes: Axes, shape: Shape) -> bool:
    claims = demands(axes, shape, "", "", Bindings())
    return any(solve.refute(t.path.facts, demand.claim) is Verdict.NEVER for demand in claims)


def _may_be_size(value: Value | None) -> bool:
    return value is None or isinstance(value, Int) or (isinstance(value, Const) and as_size(value) is not None)
