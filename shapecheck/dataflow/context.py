"""The tracer as library models see it: the implementation of `models.lang.context.Context`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow import makers
from shapecheck.dataflow.alternatives import one_of_objects
from shapecheck.dataflow.builtins import declared
from shapecheck.dataflow.doubt import rests_on_a_test
from shapecheck.dataflow.frame import PathEnds
from shapecheck.dataflow.interest import has_rank, is_unranked
from shapecheck.dataflow.join import NOTHING, generalise
from shapecheck.dataflow.overwriting import overwrite, shuffle
from shapecheck.dataflow.renew import renewed
from shapecheck.dataflow.repeated import repeated
from shapecheck.dataflow.stamp import stamped
from shapecheck.dataflow.store import AMBIENT
from shapecheck.dataflow.thaw import thawed
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.kinds import Blind
from shapecheck.models.lang.op import Model
from shapecheck.shapes import solve
from shapecheck.shapes.facts import Claim, Verdict, claim_symbols
from shapecheck.shapes.size import Expr, Kind, Size, ceildiv, counter, ends_of, fresh, maximum, or_held
from shapecheck.source import Place
from shapecheck.values import (
    Bound,
    Choice,
    Class,
    Code,
    Const,
    Dict,
    Int,
    Library,
    Lost,
    Many,
    Partial,
    Range,
    Ref,
    Seq,
    SliceValue,
    Tensor,
    Value,
    extent,
    items_of,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

CONTAINERS = ("list", "dict", "set")
MAX_ELEMENTS = 256
MAX_LOST = 2
FAILED = "result of an operation that fails"


class ModelContext:
    """Implements the `Context` protocol for one tracer."""

    def __init__(self, tracer: Tracer) -> None:
        self._t = tracer

    @property
    def target(self) -> Target:
        return self._t.target

    @property
    def without_options(self) -> bool:
        self._t.takes_options = True
        return self._t.without_options

    @property
    def is_alone(self) -> bool:
        return self._t.free

    def left_open(self, value: Value) -> Value:
        self._t.left_open.add(value)
        return value

    @property
    def place(self) -> Place:
        assert self._t.place is not None
        return self._t.place

    # --- constraints -----------------------------------------------------------------------------------------------

    def require(self, kind: str, claim: Claim, message: str, *operands: Value) -> Verdict:
        t = self._t
        verdict = solve.refute(t.facts, claim)
        if verdict is Verdict.NEVER and rests_on_a_test(t.facts, claim):
            return Verdict.MAYBE
        if verdict is Verdict.NEVER:
            t.clash(kind, message, operands, claim=claim, facts=t.facts, verdict=verdict)
        elif verdict is Verdict.MAYBE and _teaches(claim):
            t.facts = t.facts.add(claim)
        if verdict is Verdict.MAYBE and kind == "index-range" and len(only := claim_symbols(claim)) == 1:
            t.cuts |= only
        return verdict

    def notice(self, kind: str, message: str, *operands: Value) -> None:
        self._t.clash(kind, message, operands, facts=self._t.facts)

    def known(self, claim: Claim) -> Verdict:
        return solve.decide(self._t.facts, claim)

    def fresh(self, name: str, kind: Kind, why: str = "", low: int | None = 0) -> Expr:
        return fresh(name, kind, origin=self._t.place, why=why, low=low)

    def resolve(self, size: Size) -> Size:
        return or_held(size, self._t.facts.resolve(size))

    def lost(self, reason: str) -> Lost:
        return self._t.lost(reason)

    # --- running models --------------------------------------------------------------------------------------------

    def run(self, model: Model, name: str, args: Sequence[Value], keywords: Mapping[str, Value], place: Place) -> Value:
        """Runs a model as a step of the graph and stamps the tensors of its result with the step."""
        t = self._t
        makes = model.definition.form == "behaviour"  # a scope, an object: what it is made of may not matter
        if t.free and args and not makes and not any(has_rank(t, value) for value in (*args, *keywords.values())):
            return t.lost("operation on lost values")
        shuffle(t, name, args)
        values = [self.freeze(value) for value in args]
        names = list(keywords)
        values += [self.freeze(keywords[key]) for key in names]
        count = len(args)

        def once(concrete: Sequence[Value]) -> Value:
            of_failed = (value for value in concrete if isinstance(value, Lost) and value.reason == FAILED)
            failed = None if makes or not t.clashes else next(of_failed, None)
            if failed is not None:
                return failed  # whatever it may be, no run gets there
            named = dict(zip(names, concrete[count:], strict=True))
            step = t.add_step("op", name, concrete[:count], named, place)
            step.model = model
            clashes = len(t.clashes)
            with t.during(step):
                result = self._guarded(model, name, concrete[:count], named)
            if any(c.step is step and c.verdict is Verdict.NEVER for c in t.clashes[clashes:]):
                if t.tolerance:
                    raise PathEnds
                result = t.lost(FAILED)
            elif isinstance(result, Lost) and any(map(is_unranked, concrete)):
                t.of_ranks.add(result)
            step.result = stamped(result, step.id, [0])
            return thawed(self._t, step.result)

        return t.spread(values, once)

    def _guarded(self, model: Model, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
        from shapecheck.dataflow.tracer import OutOfFuel

        try:
            return model.run(self, args, keywords)
        except (OutOfFuel, PathEnds, RecursionError, MemoryError):
            raise
        except Blind as why:
            return self._t.lost(f"unknown {why} of {name}")
        except Exception as error:
            self._t.internal_error(f"model of {name}", error)
            return self._t.lost("internal error in a model")

    def call(self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        from shapecheck.dataflow.calls import call

        return call(self._t, function, list(args), dict(keywords or {}), self.place)

    def apart(self, functions: Sequence[Value]) -> list[Value]:
        t, results = self._t, []
        facts = t.facts
        for function in functions:
            t.facts = facts
            results.append(self.call(function, []))
        t.facts = facts
        return results

    def repeat(self, function: Value, args: Sequence[Value]) -> Value:
        return repeated(self._t, function, args)

    def call_method(self, owner: Value, name: str, args: Sequence[Value]) -> Value | None:
        from shapecheck.dataflow.calls import find_method

        model, label = find_method(self._t, owner, name)
        return None if model is None else self.run(model, label, [owner, *args], {}, self.place)

    def apply(self, name: str, *args: Value, **keywords: Value) -> Value:
        from shapecheck.dataflow.calls import call_library

        return call_library(self._t, name, args, keywords, self.place, True)

    def makers(self, outputs: Sequence[Value]) -> Sequence[tuple[Ref, Value]]:
        return makers.makers(self._t, [self.freeze(output) for output in outputs])

    def keyword(self, tensor: Tensor, name: str) -> Value | None:
        return dict(self._t.graph[tensor.step].keywords).get(name) if tensor.step else None

    def results(self, owner: Value) -> Sequence[Value]:
        return makers.results(self._t, owner)

    def replay(
        self, outputs: Sequence[Value], feeds: Mapping[Value, Value], *, objects_here: bool = False
    ) -> tuple[Value, ...]:
        from shapecheck.dataflow.replay import replay

        return replay(self._t, outputs, feeds, objects_here)

    # --- objects ---------------------------------------------------------------------------------------------------

    def get(self, owner: Value, name: str) -> Value | None:
        from shapecheck.dataflow.objects import held_attribute

        value = held_attribute(self._t, owner, name)
        return self._t.select(value) if isinstance(value, Choice) else value

    def set(self, owner: Value, name: str, value: Value) -> None:
        match owner:
            case Ref(address=address):
                self._t.store.set((address, name), value)
            case Code(key=key):
                self._t.store.set((-1 - key, name), value)
            case Library(name=path):
                self._t.store.set((0, f"{path}.{name}"), value)

    def new(self, cls: str, **attributes: Value) -> Ref:
        ref = Ref(self._t.store.address(), cls)
        for name, value in attributes.items():
            self._t.store.set((ref.address, name), value)
        return ref

    def ambient(self) -> Value | None:
        return self._t.store.get(AMBIENT)

    def set_ambient(self, value: Value) -> None:
        self._t.store.set(AMBIENT, value)

    def refine(self, tensor: Tensor, refined: Tensor) -> None:
        """From here on the tensor has the refined shape, wherever the program holds it."""
        self._t.refine(tensor, refined)

    def overwrite(self, array: Tensor) -> None:
        """From here on the numbers in an array are others, wherever the program holds it."""
        overwrite(self._t, array)

    # --- containers ------------------------------------------------------------------------------------------------

    def freeze(self, value: Value, deep: bool = True) -> Value:
        """Container references replaced by what they hold; `deep` does so inside containers too."""
        return self._frozen(value, deep, 0)

    def _frozen(self, value: Value, deep: bool, depth: int) -> Value:
        if isinstance(value, Ref) and value.cls in CONTAINERS:
            contents = self._t.contents(value)
            value = Lost("container that was lost") if contents is None else contents
        if not deep or depth > 8:
            return value
        match value:
            case Seq(kind=kind, items=items):
                frozen = tuple(self._frozen(item, True, depth + 1) for item in items)
                return value if frozen == items else Seq(kind, frozen)
            case Many(kind=kind, element=item, length=size, since=old):
                return Many(kind, renewed(self._frozen(item, True, depth + 1), old), size, ends=value.ends, since=old)
            case Dict(items=pairs, rest=rest):
                inner = tuple((k, self._frozen(v, True, depth + 1)) for k, v in pairs)
                return Dict(inner, None if rest is None else self._frozen(rest, True, depth + 1))
            case Choice(options=options):
                return Choice(tuple((guard, self._frozen(v, True, depth + 1)) for guard, v in options))
        if isinstance(value, Tensor) and self._t.refinements:
            return self._t.select(value)
        return value

    def elements(self, value: Value) -> tuple[Value, ...] | None:
        frozen = self.freeze(value, deep=False)
        items = items_of(frozen)
        if items is not None:
            return self._items(frozen, items)
        match frozen:
            case Dict(items=pairs, rest=None):
                return tuple(key for key, _ in pairs)
            case Const(value=str(text)) if len(text) <= MAX_ELEMENTS:
                return tuple(Const(letter) for letter in text)
            case Tensor() if frozen.shape.is_ranked and frozen.shape.rank:
                length = frozen.shape.sizes[0]
                if isinstance(length, int) and length <= 32:
                    return tuple(self._row(frozen, Const(i)) for i in range(length))
            case Many(items=tuple(given)):
                return tuple(thawed(self._t, item) for item in given)
            case Many(element=element, length=int(length), since=since) if length <= 32:
                return tuple(renewed(element, since) for _ in range(length))
            case Choice(options=options):
                rows = [(guard, self.elements(option)) for guard, option in options]
                counts = {-1 if row is None else len(row) for _, row in rows}
                if len(counts) == 1 and counts != {-1}:
                    return tuple(self._t.join([(g, row[i]) for g, row in rows if row]) for i in range(counts.pop()))
            case Ref(cls="user"):
                return declared.items(self._t, frozen)
            case Class():
                known = declared.members(self._t, frozen)
                return None if known is None else tuple(known.values())
        return None

    def _items(self, owner: Value, items: tuple[Value, ...]) -> tuple[Value, ...] | None:
        """Known items, unless they are too many; those of an array are its rows."""
        if isinstance(owner, Tensor) and owner.shape.rank != 1 and len(items) <= 4096:
            return tuple(self._row(owner, Const(at)) for at in range(len(items)))
        return items if len(items) <= 4096 else None

    def element(self, value: Value) -> Value:
        frozen = self.freeze(value, deep=False)
        match frozen:
            case Many(element=element, since=since):
                known = self.lost("item of an empty sequence") if element == NOTHING else renewed(element, since)
                return thawed(self._t, known) if frozen.kind == "generator" else known
            case Seq(items=items):
                return self._covering(items)
            case Range(start=start, stop=stop, step=step):
                return self._range_item(start, stop, step)
            case Dict(items=pairs):
                return self._covering(tuple(key for key, _ in pairs)) if pairs else self.lost("key of a dict")
            case Tensor() if frozen.shape.size(0) == 0:
                return self.lost("item of an empty array")
            case Tensor():
                return self._row(frozen, Int(fresh("i", Kind.LOST, why="position while iterating")))
            case Ref():
                return self._iterated(frozen)
            case Const(value=str()):
                return self.lost("letter")
            case Choice():
                return self._t.spread([frozen], lambda values: self.element(values[0]))
        return self.lost("item of a lost value")

    def _covering(self, items: Sequence[Value]) -> Value:
        if not items:
            return self.lost("item of an empty sequence")
        if ways := one_of_objects(items):
            return Choice(tuple(ways))
        element = items[0]
        for item in items[1:64]:
            element = generalise(element, item)
        return element

    def _range_item(self, start: Size, stop: Size, step: Size) -> Value:
        low, high = ends_of(step)
        if low is not None and low >= 0:
            return Int(counter("i", origin=None, why="loop counter", least=start, most=stop - 1))
        if high is not None and high < 0:
            return Int(counter("i", origin=None, why="loop counter", least=stop + 1, most=start))
        return Int(fresh("i", Kind.LOST, why="loop counter", low=None))

    def _row(self, tensor: Tensor, index: Value) -> Value:
        from shapecheck.dataflow.subscripts import get_item

        return get_item(self._t, tensor, index, self.place) if self._t.place is not None else tensor

    def _iterated(self, owner: Ref) -> Value:
        method = self.get(owner, "__iter__")
        if method is None:
            getter = self.get(owner, "__getitem__")
            return self.lost("iteration over an object") if getter is None else self.call(getter, [self.lost("index")])
        produced = self.call(method, [])
        if isinstance(produced, Ref) and (step := self.get(produced, "__next__")) is not None:
            return repeated(self._t, step)
        return self.lost("iteration over an object") if isinstance(produced, Ref) else self.element(produced)

    def length(self, value: Value) -> Size:
        """How many items iterating gives; a lost symbol where that is unknown."""
        frozen = self.freeze(value, deep=False)
        items = items_of(frozen)
        if items is not None:
            return len(items)
        match frozen:
            case Many(length=length):
                return length
            case Dict(items=pairs, rest=None):
                return len(pairs)
            case Range(start=Expr(), step=int(step)) | Range(stop=Expr(), step=int(step)) if step:
                return maximum(ceildiv(frozen.stop - frozen.start, step), 0)
            case Range(start=int(a), stop=int(b), step=int(c)) if c:
                return extent(range(a, b, c))
            case Tensor() if frozen.shape.size(0) is not None:
                size = frozen.shape.size(0)
                assert size is not None
                return size
            case Const(value=str() | bytes() as text):
                return len(text)
            case Choice(options=options):
                lengths = {self.length(option) for _, option in options}
                if len(lengths) == 1:
                    return lengths.pop()
        return fresh("n", Kind.LOST, why="length of a lost value")


def _teaches(claim: Claim) -> bool:
    """Whether a claim is worth remembering: one about many sizes that were lost slows every later question down."""
    return sum(symbol.kind.is_lost for symbol in claim_symbols(claim)) <= MAX_LOST


__all__ = ["Bound", "ModelContext", "Partial", "SliceValue"]
