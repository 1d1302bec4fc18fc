"""Transcripts: what a model asked its context for operands of some form, and what it answered to the call.

A model is a function of its operands and of the answers of its context. Where a call is like an earlier one up to the
names of unknowns, its result follows from the transcript, as long as the context gives the same answers again. It does
if the same facts are known of the same sizes, or none then and now; otherwise it is asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import add, sub
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import suppose
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import (
    NONE,
    Const,
    Dict,
    Int,
    Library,
    Lost,
    Range,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
    of_size,
    walk,
)
from shapecheck.models.lang.registry import Model
from shapecheck.shapes.claims import TRUE, Claim, claim_symbols, simplify, substitute_claim
from shapecheck.shapes.expr import expr_of
from shapecheck.shapes.facts import EMPTY, Facts, Verdict
from shapecheck.shapes.shape import substitute_shape
from shapecheck.shapes.size import Size, Symbol, fresh, substitute, symbols
from shapecheck.shapes.symbol import next_serial

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer
    from shapecheck.models.lang.context import Context

FORMS = ("op", "behaviour", "attribute")
"""The models whose calls may be like earlier ones; those of layers make objects, or read them."""
MAX_VAIN = 8
"""How many more calls of a model may be recorded in vain than with success."""
CONSTANT = frozenset({"target", "is_in_graph", "is_compiled", "is_alone", "freeze", "fresh"})
"""What a context answers in the same way to all calls that are alike."""
PURE = frozenset({"known", "resolve"})
"""Questions whose answers follow from the facts, and that change nothing."""
ANSWERS = (Const, Int, Scalar, Lost, Tensor, Seq, SliceValue, Range, Library, Dict)


class _Unlike(Exception):
    """The call is like no other: its operands have an identity, or it did more than to answer."""


# --- forms of operands -----------------------------------------------------------------------------------------------


class _Form:
    """The form of operands: everything but the names of their unknowns and the steps that made them."""

    def __init__(self) -> None:
        self.symbols: dict[Symbol, int] = {}
        self.unknowns: dict[Value, int] = {}
        self.tensors: dict[Tensor, int] = {}
        self._made: dict[tuple[int, int], int] = {}

    def of(self, value: Value) -> Hashable:
        """Return the form of a value; raises _Unlike."""
        kind = type(value)
        if kind is Tensor:
            return self._tensor(cast("Tensor", value))
        if kind is Const:
            return value
        if kind is Seq:
            seq = cast("Seq", value)
            return (seq.kind, *[self.of(item) for item in seq.items])
        if kind is Lost or kind is Scalar:
            at = self.unknowns.setdefault(value, len(self.unknowns))
            return (kind, value.reason if isinstance(value, Lost) else cast("Scalar", value).kind, at)
        if kind is Int:
            return (kind, self.size(cast("Int", value).size))
        return self._other(value)

    def _other(self, value: Value) -> Hashable:
        """Return the form of a value of a rarer kind."""
        match value:
            case Library(name=name):
                return (Library, name)
            case SliceValue(lower=lower, upper=upper, step=step):
                return (SliceValue, self.of(lower), self.of(upper), self.of(step))
            case Range(start=start, stop=stop, step=size):
                return (Range, self.size(start), self.size(stop), self.size(size))
            case Dict(items=pairs, rest=None):
                return (Dict, *[(self.of(key), self.of(item)) for key, item in pairs])
        raise _Unlike

    def _tensor(self, tensor: Tensor) -> Hashable:
        self.tensors.setdefault(tensor, len(self.tensors))
        made = (tensor.step, tensor.output)
        content = None if tensor.content is None else self.of(tensor.content)
        shape, tail = tensor.shape, tensor.shape.tail
        sizes = tuple(map(self.size, shape.head)), None if tail is None else tuple(map(self.size, tail))
        at = self._made.setdefault(made, len(self._made)) if tensor.step else -1
        flags = (tensor.static, tensor.nature, tensor.trace, tensor.is_ambiguous, tensor.is_rank_open)
        return (tensor.dtype, tensor.library, tensor.role, at, sizes, content, flags)

    def size(self, size: Size) -> Hashable:
        """Return the form of a size."""
        if isinstance(size, int):
            return size
        return tuple((tuple(map(self._atom, atoms)), factor) for atoms, factor in size.terms)

    def _atom(self, atom: Any) -> Hashable:
        if not isinstance(atom, Symbol):
            return (atom.name, *map(self.size, atom.args))
        if atom.lower is not None or atom.upper is not None:
            raise _Unlike
        at = self.symbols.setdefault(atom, len(self.symbols))
        return (at, atom.kind, atom.low)


# --- transcripts -----------------------------------------------------------------------------------------------------


_Question: TypeAlias = tuple[str, tuple[Any, ...], Any]
"""What a model asked its context, with which arguments, and the answer."""
_Known: TypeAlias = tuple[tuple[Symbol, ...], Facts]
"""Symbols, and the facts that share symbols with them."""


def _known(t: Tracer, form: _Form) -> _Known:
    """Return what is known of the symbols of operands."""
    facts = t.path.facts.relevant(form.symbols) if form.symbols else EMPTY
    return (tuple(form.symbols), facts) if len(facts) else UNKNOWN


UNKNOWN: _Known = ((), EMPTY)


@dataclass(slots=True)
class _Transcript:
    """What a model asked, in order, each with the answer; the operands that it was given, and its result.

    Unknown values that are newer than `start` were made by the model, and so were the symbols `made`. The answers are
    the same `under` these facts about these symbols; `effects` are the questions with other effects than an answer.
    """

    form: _Form
    start: int
    asked: list[_Question] = field(default_factory=list)
    made: tuple[Symbol, ...] = ()
    result: Value = NONE
    under: set[_Known] = field(default_factory=set)
    effects: list[_Question] = field(default_factory=list)


class Transcripts:
    """The transcripts of an analysis, by models and forms of operands."""

    def __init__(self) -> None:
        self._known: dict[Hashable, _Transcript] = {}
        self._balance: Counter[str] = Counter()

    def run(self, t: Tracer, model: Model, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
        """Return the result of a model, by a transcript if there is one that fits."""
        if model.definition.form not in FORMS or self._balance[model.name] > MAX_VAIN:
            return model.run(t.context, args, keywords)
        form = _Form()
        try:
            operands = (*map(form.of, args), *[(name, form.of(value)) for name, value in keywords.items()])
        except _Unlike:
            return model.run(t.context, args, keywords)
        stage = t.stage
        key = (model.name, t.target, stage.is_eager, stage.is_compiled, t.is_standalone, operands)
        transcript = self._known.get(key)
        if transcript is None:
            return self._recorded(t, model, args, keywords, form, key)
        result = _Replay(t, transcript, form).result()
        return model.run(t.context, args, keywords) if result is None else result

    def _recorded(
        self, t: Tracer, model: Model, args: Sequence[Value], keywords: Mapping[str, Value], form: _Form, key: Hashable
    ) -> Value:
        """Run a model, and keep the transcript if it did no more than to answer."""
        transcript = _Transcript(form, Lost("start of a model").serial)
        first, before = next_serial(), _state(t)
        recorder = _Recorder(t, transcript)
        transcript.under.add(_known(t, form))
        result = model.run(cast("Context", recorder), args, keywords)
        unchanged = tuple(map(sub, _state(t), recorder.effects)) == before
        transcript.made = tuple(symbol for symbol in _symbols(transcript.asked, result) if symbol.serial > first)
        is_plain = all(symbol.lower is None and symbol.upper is None for symbol in transcript.made)
        if recorder.is_complete and unchanged and is_plain and _is_answer(result, form):
            transcript.result = result
            self._known[key] = transcript
            self._balance[model.name] -= 1
        else:
            self._balance[model.name] += 1
        return result


def _state(t: Tracer) -> tuple[int, ...]:
    """Return numbers that are different after an effect."""
    return len(t.clashes), t.heap.mark(), len(t.graph.steps)


def _symbols(asked: Iterable[tuple[str, tuple[Any, ...], Any]], result: Value) -> frozenset[Symbol]:
    """Return the symbols in what a model asked and answered."""
    claims = [args[-1] for name, args, _ in asked if name in ("require", "known")]
    sizes = [size for name, args, answer in asked if name == "resolve" for size in (args[0], answer)]
    parts = list(_all_parts(result))
    sizes += [part.size for part in parts if isinstance(part, Int)]
    sizes += [size for part in parts if isinstance(part, Range) for size in (part.start, part.stop, part.step)]
    shapes = [part.shape for part in parts if isinstance(part, Tensor)]
    each = (*map(claim_symbols, claims), *map(symbols, sizes), *(shape.symbols() for shape in shapes))
    return frozenset().union(*each)


def _all_parts(value: Value) -> Iterator[Value]:
    """Yield the parts of a value, and those of the contents of tensors."""
    for part in walk(value):
        yield part
        if isinstance(part, Tensor) and part.content is not None:
            yield from _all_parts(part.content)


def _is_answer(result: Value, form: _Form) -> bool:
    """Return whether a result consists of operands and of new values without an identity on the heap."""
    return all(
        isinstance(part, ANSWERS) and not (isinstance(part, Tensor) and part.step and part not in form.tensors)
        for part in _all_parts(result)
    )


class _Recorder:
    """The context of a model while a transcript is made of what it asks."""

    def __init__(self, t: Tracer, transcript: _Transcript) -> None:
        self._t = t
        self._context = t.context
        self._given = transcript.form.tensors
        self._asked, self._effects = transcript.asked, transcript.effects
        self.is_complete = True
        self.effects: tuple[int, ...] = (0, 0, 0)

    def __getattr__(self, name: str) -> Any:
        self.is_complete = self.is_complete and name in CONSTANT
        return getattr(self._context, name)

    def require(self, kind: ClashKind, claim: Claim, message: str, *operands: Value) -> Verdict:
        before = self._t.path
        verdict = self._context.require(kind, claim, message, *operands)
        if simplify(claim) != TRUE:
            self._asked.append(("require", (kind, claim), verdict))
        if self._t.path is not before:
            self._effects.append(("suppose", (kind, claim), None))
        elif verdict is Verdict.MAYBE and kind is ClashKind.INDEX_RANGE:
            self._effects.append(self._asked[-1])
        return verdict

    def known(self, claim: Claim) -> Verdict:
        return cast("Verdict", self._note("known", claim))

    def resolve(self, size: Size) -> Size:
        return size if isinstance(size, int) else cast("Size", self._note("resolve", size))

    def lost(self, reason: str) -> Lost:
        return cast("Lost", self._note("lost", reason))

    def _note(self, name: str, *args: Any) -> Any:
        answer = getattr(self._context, name)(*args)
        self._asked.append((name, args, answer))
        if name not in PURE:
            self._effects.append(self._asked[-1])
        return answer

    def overwrite(self, array: Tensor) -> None:
        before = _state(self._t)
        self._note("overwrite", array)
        self.is_complete = self.is_complete and array in self._given
        self.effects = tuple(map(add, self.effects, map(sub, _state(self._t), before)))

    def get(self, owner: Value, name: str) -> Value | None:
        self.is_complete = self.is_complete and isinstance(owner, Library)
        found: Value | None = self._note("get", owner, name)
        return found


# --- replays ---------------------------------------------------------------------------------------------------------


class _Replay:
    """A call that is answered by a transcript: old unknowns stand for new ones."""

    def __init__(self, t: Tracer, transcript: _Transcript, form: _Form) -> None:
        self._t = t
        self._transcript = transcript
        self._known = _known(t, form)
        pairs = zip(transcript.form.symbols, form.symbols, strict=True)
        self._symbols: dict[Symbol, Size] = {old: expr_of(new) for old, new in pairs if old is not new}
        self._unknowns: dict[Value, Value] = dict(zip(transcript.form.unknowns, form.unknowns, strict=True))
        self._tensors = dict(zip(transcript.form.tensors, form.tensors, strict=True))
        for old in transcript.made:
            if old not in self._symbols:
                place = None if old.origin is None else t.place
                self._symbols[old] = fresh(old.name, old.kind, origin=place, why=old.why, low=old.low)

    def result(self) -> Value | None:
        """Return the result of the call; None if the context gives other answers now."""
        clashes, under = len(self._t.clashes), self._transcript.under
        is_certain = self._known in under
        for name, args, answer in self._transcript.effects if is_certain else self._transcript.asked:
            if not self._is_same(name, args, answer):
                del self._t.clashes[clashes:]
                return None
        if not is_certain:
            under.add(self._known)
        return self._value(self._transcript.result)

    def _is_same(self, name: str, args: tuple[Any, ...], answer: Any) -> bool:
        """Ask the context again; return whether it gives the same answer."""
        context = self._t.context
        match name:
            case "require":
                return context.require(args[0], substitute_claim(args[1], self._symbols), "") is answer
            case "suppose":
                suppose(self._t, args[0], substitute_claim(args[1], self._symbols))
                return True
            case "known":
                return context.known(substitute_claim(args[0], self._symbols)) is answer
            case "resolve":
                now = context.resolve(substitute(args[0], self._symbols))
                return bool(now == substitute(answer, self._symbols))
            case "overwrite":
                context.overwrite(self._tensors[args[0]])
                return True
            case "lost":
                self._unknowns[answer] = context.lost(*args)
                return True
        return bool(context.get(*args) == answer)

    def _value(self, value: Value) -> Value:
        """Return a value with new unknowns."""
        match value:
            case Tensor(step=0):
                content = None if value.content is None else self._value(value.content)
                shape = substitute_shape(value.shape, self._symbols)
                return replace(value, shape=shape, content=content) if self._symbols or content else value
            case Tensor():
                return self._tensors[value]
            case Int(size=size):
                return of_size(substitute(size, self._symbols))
            case Lost() | Scalar():
                return self._unknown(value)
            case Range(start=start, stop=stop, step=step):
                return Range(*(substitute(size, self._symbols) for size in (start, stop, step)))
        return map_children(value, self._value)

    def _unknown(self, value: Lost | Scalar) -> Value:
        if value not in self._unknowns and value.serial > self._transcript.start:
            self._unknowns[value] = replace(value, serial=Lost("").serial)
        return self._unknowns.get(value, value)
