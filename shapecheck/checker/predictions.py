"""Predictions for the values of expressions on each call path, and the reasons why a path was not followed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from shapecheck import ir
from shapecheck.dataflow.interpreter.assembly import SEMANTICS
from shapecheck.dataflow.objects.array_classes import is_class_of_arrays
from shapecheck.dataflow.stages.in_tests import is_in_test
from shapecheck.dataflow.state.budget import OutOfFuel
from shapecheck.dataflow.state.endings import OUT_OF_BUDGET
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.observations import Observations
from shapecheck.dataflow.state.program import Program
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.join import alike
from shapecheck.domain.values import BoundLibraryMethod, Choice, Class, Lost, Partial, Ref, Tensor, Value
from shapecheck.findings import Frame as CallFrame
from shapecheck.runtime.recording.call_paths import MOST_SITES
from shapecheck.runtime.recording.compare import UNREACHED, stages_of
from shapecheck.runtime.recording.observe import CallPath, Site, Span
from shapecheck.source import Place, Source

MOST_VALUES = 64
MOST_WAYS = 64
T = TypeVar("T")
ENTRY: Site = ("", 0, -1)
"""The last site of a path whose outermost function something outside the program calls."""

Path = tuple[Site, ...]  # call sites, from the inside out, whose row is the first one of their statement
Rough = tuple[tuple[str, int], ...]  # the statements of call sites, which may contain several calls


class Statements:
    """The statements of files: a call may lie on any line of its statement."""

    def __init__(self, module_of: Callable[[str], tuple[Source, ir.Module] | None]) -> None:
        self._module_of = module_of
        self._rows: dict[str, dict[tuple[str, int], int]] = {}

    def of(self, site: Site) -> Site:
        """Return a site with the first row of the statement that it lies in."""
        filename = file_of(site)
        rows = self._rows.get(filename)
        if rows is None:
            found = self._module_of(filename)
            rows = self._rows[filename] = {} if found is None else dict(_rows(*found))
        where, row, end = site
        return where, rows.get((where, row), row), end


def _rows(source: Source, module: ir.Module) -> Iterator[tuple[tuple[str, int], int]]:
    """Yield each row of each statement, and its first row; inner statements come later."""
    bodies: list[Sequence[object]] = [module.body]
    for body in bodies:
        for node in body:
            if not isinstance(node, ir.Node):
                continue
            if not isinstance(node, ir.Expr):
                place = Place(source, node.start, node.end)
                first = place.row
                yield from (((place.where, row), first) for row in range(first, place.end_row + 1))
            bodies += _blocks(node)


def _blocks(node: ir.Node) -> Iterator[Sequence[object]]:
    if not isinstance(node, ir.Expr):
        parts = (getattr(node, name) for name in type(node).__dataclass_fields__)
        yield from (part for part in parts if isinstance(part, tuple))


@dataclass(slots=True)
class Wanted:
    """The places and the statements with calls that a run has seen; no other predictions are kept."""

    spans: Collection[Span]
    statements: Collection[tuple[str, int]]


@dataclass(slots=True)
class Predictions:
    """The values of places by call path, their stages where scripts reach them, the paths that were entered, the paths
    whose results are those of earlier ones (also by statements alone), what was evaluated and lost in statements with
    calls, the statements with calls that were not followed at least once, and the paths on which the budget ended, so
    that later iterations of loops were not traced."""

    wanted: Wanted
    statements: Statements
    values: dict[Span, dict[Path, list[Value]]] = field(default_factory=dict)
    stages: dict[Span, dict[str, None]] = field(default_factory=dict)
    entered: set[Rough] = field(default_factory=lambda: {()})
    reused: dict[Path, dict[Path, None]] = field(default_factory=dict)
    reused_roughly: dict[Rough, dict[Rough, None]] = field(default_factory=dict)
    evaluated: set[tuple[Rough, tuple[str, int]]] = field(default_factory=set)
    lost: dict[tuple[Rough, tuple[str, int]], tuple[int, str]] = field(default_factory=dict)
    unfollowed: dict[tuple[Rough, tuple[str, int]], str] = field(default_factory=dict)
    unfinished: set[Rough] = field(default_factory=set)

    def find(self, span: Span, seen: CallPath) -> tuple[Sequence[Value], bool]:
        """Return what was predicted for a place on a path, and whether it was on just this path.

        Where a library calls the program back, the analysis may do so from another place: the sites within must agree.
        Where the end of a call is not known, another call in the same statement may be meant.
        """
        by_path: Mapping[Path, list[Value]] = self.values.get(span, {})
        path = self.path_of(seen)
        known = [value for way in _ways(path, self.reused) for value in by_path.get(way, ())]
        if known:
            return known, True
        statements = _ways(rough(path), self.reused_roughly) if by_path else {}
        near = [value for other, values in by_path.items() if rough(other) in statements for value in values]
        if near:
            return near, any(end < 0 for _, _, end in seen.sites)
        within = len(path) if len(seen.sites) == MOST_SITES else seen.certain
        if within is None:
            return (), False
        near = [value for other, values in by_path.items() if other[:within] == path[:within] for value in values]
        return near, False

    def _entered_at(self, path: Rough) -> int:
        """Return how many of the innermost calls of a path were not entered."""
        return next((at for at in range(len(path)) if path[at:] in self.entered), len(path))

    def why_incomplete(self, seen: CallPath) -> str:
        """Return why not all that happens on a path was traced; empty if it was."""
        ways = _ways(rough(self.path_of(seen)), self.reused_roughly)
        if any(path[at:] in self.unfinished for path in ways for at in range(len(path) + 1)):
            return OUT_OF_BUDGET
        calls = ((path[at + 1 :], path[at]) for path in ways for at in range(len(path)))
        return next((self.unfollowed[call] for call in calls if call in self.unfollowed), "")

    def path_of(self, seen: CallPath) -> Path:
        """Return a path that was seen with the statements of its sites."""
        sites = tuple(map(self.statements.of, seen.sites))
        return (*sites, ENTRY) if seen.is_entry else sites

    def why_not(self, seen: CallPath) -> str:
        """Return why a place was not reached on a path, by the first call that was not followed."""
        ways = _ways(rough(self.path_of(seen)), self.reused_roughly)
        path, at = min(((path, self._entered_at(path)) for path in ways), key=lambda way: way[1])
        if at == 0:
            return f"{UNREACHED}, though the function around it is"
        filename, row = path[at - 1]
        if not filename:
            return UNREACHED
        line = f"{filename.rpartition('/')[2]}:{row}"
        told = self.lost.get((path[at:], path[at - 1]))
        if told is not None:
            return f"not followed since {line}: {told[1]}"
        if (path[at:], path[at - 1]) in self.evaluated:
            return f"not followed since {line}: the call is not traced"
        return f"not followed since {line}: the statement is not reached"


def _ways(path: tuple[T, ...], reused: Mapping[tuple[T, ...], Iterable[tuple[T, ...]]]) -> dict[tuple[T, ...], None]:
    """Return a path, and those on which the same calls were traced where the result of an earlier one was used."""
    found = {path: None}
    for way in (todo := [path]):  # extended within the loop
        others = (
            (*way[:at], *other) for at in range(len(way)) for other in reused.get(way[at:], ()) if other != way[at:]
        )
        new = list(islice((other for other in others if other not in found), MOST_WAYS - len(found)))
        found.update(dict.fromkeys(new))
        todo += new
    return found


def file_of(site: Site) -> str:
    """Return the file of a site, whose name tells the cell of a notebook, too."""
    return site[0].partition(":cell ")[0]


def rough(path: Path) -> Rough:
    """Return the statements of the call sites of a path."""
    return tuple((where, row) for where, row, _ in path)


class RecordingTracer(Tracer):
    """A tracer that records the different values of every expression on each call path."""

    def __init__(self, program: Program, predictions: Predictions) -> None:
        super().__init__(program, SEMANTICS)
        self.predictions = predictions
        self.observed = Observations()
        self._path: Path = ()
        self._rough: Rough = ()
        self._frame: CallFrame | None = None
        self._known_sites: dict[tuple[str, int, int], Site] = {}
        self._lost_callees: dict[int, str] = {}

    def evaluate(self, node: ir.Expr, frame: Frame) -> Value:
        try:
            return super().evaluate(node, frame)
        except OutOfFuel:
            self.predictions.unfinished.add(rough(self._present_path()))
            raise

    def observe(self, node: ir.Node, frame: Frame, value: Value) -> None:
        kept, wanted = self.predictions, self.predictions.wanted
        filename = frame.source.filename
        span = (filename, node.start, node.end)
        path = self._present_path()
        statement = self._site(Place(frame.source, node.start, node.end))[:2]
        if statement in wanted.statements:
            at = (self._rough, statement)
            kept.evaluated.add(at)
            reason = "" if isinstance(value, BoundLibraryMethod) else _reason(value)  # its call tells
            self._note_callee(node, value, at)
            if reason and node.end < kept.lost.get(at, (node.end + 1, ""))[0]:
                kept.lost[at] = (node.end, f"{_line(frame.source.text[node.start : node.end])}: {reason}")
        if span not in wanted.spans:
            return
        if not self.is_standalone or is_in_test(self):
            kept.stages.setdefault(span, {}).update(dict.fromkeys(stages_of(value)))
        value = self._as_array(value)
        values = kept.values.setdefault(span, {}).setdefault(path, [])
        if len(values) < MOST_VALUES and not any(alike(other, value) for other in values):
            values.append(value)

    def _note_callee(self, node: ir.Node, value: Value, at: tuple[Rough, tuple[str, int]]) -> None:
        """Note a call whose function is lost, at least on a path."""
        options = [option for _, option in value.options] if isinstance(value, Choice) else [value]
        lost = next((option.reason for option in options if isinstance(option, Lost)), "")
        self._lost_callees[id(node)] = lost
        if isinstance(node, ir.Call) and self._lost_callees.get(id(node.func)):
            self.predictions.unfollowed[at] = self._lost_callees[id(node.func)]

    def observe_again(self, place: Place, frames: Sequence[CallFrame]) -> None:
        here = self._path_through([*self.call_stack.frames, CallFrame(place, "")])
        there = self._path_through(frames)
        self.predictions.reused.setdefault(here, {})[there] = None
        self.predictions.reused_roughly.setdefault(rough(here), {})[rough(there)] = None

    def observe_skipped(self, place: Place, reason: str) -> None:
        self.predictions.unfollowed[rough(self._present_path()), self._site(place)[:2]] = reason

    def _present_path(self) -> Path:
        frames = self.call_stack.frames
        last = frames[-1] if frames else None
        if last is not self._frame:
            self._frame, self._path = last, self._path_through(frames)
            self._rough = rough(self._path)
            self.predictions.entered.add(self._rough)
        return self._path

    def _path_through(self, frames: Sequence[CallFrame]) -> Path:
        """Return the path of a call stack; the first frame of a function traced on its own stands for its caller."""
        is_entry = bool(frames) and frames[0].place.source.text.endswith("def ", 0, frames[0].place.start)
        inner = frames[1:] if is_entry else frames
        sites = tuple(self._site(frame.place) for frame in reversed(inner))
        if len(sites) >= MOST_SITES:
            return sites[:MOST_SITES]
        return (*sites, ENTRY) if is_entry else sites

    def _site(self, place: Place) -> Site:
        key = (place.filename, place.start, place.end)
        found = self._known_sites.get(key)
        if found is None:
            site = self.predictions.statements.of((place.where, place.row, place.end))
            found = self._known_sites[key] = site
        return found

    def _as_array(self, value: Value) -> Value:
        """Return an instance of a class of arrays as the array that it is; other values as they are."""
        if isinstance(value, Choice):
            return Choice(tuple((guard, self._as_array(option)) for guard, option in value.options))
        if not isinstance(value, Ref) or value.cls != "user":
            return value
        array, cls = (self.heap.get((value.address, name)) for name in ("__array__", "__class__"))
        if isinstance(array, Partial) and array.args and isinstance(array.args[0], Tensor):
            return array.args[0]
        is_array = isinstance(cls, Class) and is_class_of_arrays(self, cls)
        return Lost("instance of a class of arrays") if is_array else value


def _reason(value: Value) -> str:
    """Return why a value is not followed; empty if it is."""
    match value:
        case Lost(reason=reason):
            return reason
        case BoundLibraryMethod(name=name):
            return f"no model of the attribute {name}"
        case Choice(options=options):
            return next(filter(None, (_reason(option) for _, option in options)), "")
    return ""


def _line(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= 40 else f"{short[:37]}..."
