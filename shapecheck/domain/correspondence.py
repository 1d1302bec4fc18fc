"""Correspondences: which unknowns, arrays and objects of one call stand for those of an earlier one like it."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar, cast

from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import (
    BoundLibraryMethod,
    Choice,
    Class,
    Const,
    Dict,
    Function,
    Guard,
    HomogeneousSeq,
    Int,
    Library,
    Lost,
    Method,
    ModuleValue,
    Partial,
    Range,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
    of_size,
)
from shapecheck.shapes.size import Size, Symbol

PLAIN = (Const, Library, Class, ModuleValue, Function)
"""The values that correspond only to equal ones."""
FLAGS = ("dtype", "library", "role", "static", "nature", "trace", "is_ambiguous", "is_rank_open")
Key = TypeVar("Key", bound=Hashable)
Meaning: TypeAlias = tuple[str, Value, Value]
"""The name of a test, and its operands."""


class Unlike(Exception):
    """Two values do not correspond."""


class Correspondence:
    """A one-to-one relation of the symbols, unknown values, arrays (by step and output) and objects (by address) of two
    calls, extended by each pair of values that is matched.

    An unknown real number of the first call stands for any of the second, and so do unknown elements of arrays; with
    `is_loose`, known ones do as well. `is_free` tells whether nothing but the value itself may decide about an unknown
    value or a symbol, and `meaning` what an unknown value is computed from. Only the `arrays` of these libraries do.
    """

    def __init__(
        self,
        is_free: Callable[[Value | Symbol], bool],
        meaning: Callable[[Value], Meaning | None],
        arrays: Container[str],
        is_loose: bool = False,
    ) -> None:
        self.symbols: dict[Symbol, Symbol] = {}
        self.unknowns: dict[Value, Value] = {}
        self.arrays: dict[tuple[int, int], tuple[int, int]] = {}
        self.addresses: dict[int, int] = {}
        self.is_loose = is_loose
        self._is_free = is_free
        self._meaning = meaning
        self._arrays = arrays
        self._taken: dict[tuple[str, Hashable], Hashable] = {}
        self._matched: dict[tuple[int, int], tuple[Choice, Choice]] = {}  # parts of guards often occur again

    def match(self, old: Value | None, new: Value | None) -> None:
        """Extend the relation by two values and their parts; raises Unlike if they do not correspond."""
        kind = type(old)
        if kind is not type(new):
            _require(isinstance(old, Scalar) and old.kind == "float" and new is not None and is_real(new))
            _require(self.unknowns.setdefault(old, new) == new)  # type: ignore[arg-type]
        elif kind in PLAIN:
            _require(old == new or (self.is_loose and new is not None and is_real(old) and is_real(new)))
        elif old is not None and new is not None:
            self._match_parts(old, new)

    def address(self, old: int, new: int) -> None:
        """Extend the relation by the addresses of two objects."""
        self._pair("address", self.addresses, old, new)

    def _match_parts(self, old: Value, new: Value) -> None:
        match old, new:
            case Tensor(), Tensor():
                self._match_arrays(old, new)
            case Ref(), Ref():
                _require(old.cls == new.cls and self._is_free(old) and self._is_free(new))
                self.address(old.address, new.address)
            case (Lost() | Scalar(), Lost() | Scalar()):
                self._match_unknowns(old, new)
            case Int(), Int():
                self._match_sizes(old.size, new.size)
            case Seq(), Seq():
                _require(old.kind == new.kind)
                self._match_all(old.items, new.items)
            case Method(), Method():
                self.match(old.function, new.function)
                self.match(old.owner, new.owner)
            case BoundLibraryMethod(), BoundLibraryMethod():
                _require(old.name == new.name)
                self.match(old.owner, new.owner)
            case SliceValue(), SliceValue():
                self._match_all((old.lower, old.upper, old.step), (new.lower, new.upper, new.step))
            case Range(), Range():
                for before, after in ((old.start, new.start), (old.stop, new.stop), (old.step, new.step)):
                    self._match_sizes(before, after)
            case _:
                self._match_rarer(old, new)

    def _match_unknowns(self, old: Lost | Scalar, new: Lost | Scalar) -> None:
        if self.unknowns.get(old) == new:
            return
        _require(_kind_of(old) == _kind_of(new) and self._is_free(old) and self._is_free(new))
        self._pair("unknown", self.unknowns, old, new)
        meaning, other = self._meaning(old), self._meaning(new)
        _require((meaning is None) is (other is None))
        if meaning is not None and other is not None:
            _require(meaning[0] == other[0])
            self._match_all(meaning[1:], other[1:])

    def _match_rarer(self, old: Value, new: Value) -> None:
        match old, new:
            case Dict(), Dict():
                self._match_all([part for pair in old.items for part in pair], [p for pair in new.items for p in pair])
                self.match(old.rest, new.rest)
            case HomogeneousSeq(), HomogeneousSeq():
                _require(old.kind == new.kind and (old.items is None) is (new.items is None))
                self._match_sizes(old.length, new.length)
                self.match(old.element, new.element)
                self._match_all(old.items or (), new.items or ())
                self._match_all((*old.ends, old.first, old.distinct_item), (*new.ends, new.first, new.distinct_item))
            case Partial(), Partial():
                self.match(old.function, new.function)
                _require([name for name, _ in old.keywords] == [name for name, _ in new.keywords])
                self._match_all((*old.args, *dict(old.keywords).values()), (*new.args, *dict(new.keywords).values()))
            case Choice(), Choice():
                _require(len(old.options) == len(new.options))
                if (id(old), id(new)) in self._matched:
                    return
                self._matched[id(old), id(new)] = old, new
                for (guard, option), (other_guard, other) in zip(old.options, new.options, strict=True):
                    _require([side for _, side in guard] == [side for _, side in other_guard])
                    self._match_all([condition for condition, _ in guard], [condition for condition, _ in other_guard])
                    self.match(option, other)
            case _:
                raise Unlike

    def _match_all(self, old: Sequence[Value | None], new: Sequence[Value | None]) -> None:
        _require(len(old) == len(new))
        for before, after in zip(old, new, strict=True):
            self.match(before, after)

    def _match_arrays(self, old: Tensor, new: Tensor) -> None:
        _require(all(getattr(old, name) == getattr(new, name) for name in FLAGS) and old.library in self._arrays)
        _require((old.shape.tail is None) is (new.shape.tail is None) and (old.step > 0) is (new.step > 0))
        for before, after in ((old.shape.head, new.shape.head), (old.shape.tail or (), new.shape.tail or ())):
            _require(len(before) == len(after))
            for one, other in zip(before, after, strict=True):
                self._match_sizes(one, other)
        _require(self._is_free(old) and self._is_free(new))
        if old.step:
            self._pair("array", self.arrays, (old.step, old.output), (new.step, new.output))
        if not is_real(old) or not (self.is_loose or old.content is None):
            self.match(old.content, new.content)

    def _match_sizes(self, old: Size, new: Size) -> None:
        if isinstance(old, int) or isinstance(new, int):
            _require(old == new and type(old) is type(new))
            return
        _require(len(old.terms) == len(new.terms))
        for (atoms, factor), (others, other_factor) in zip(old.terms, new.terms, strict=True):
            _require(factor == other_factor and len(atoms) == len(others))
            for atom, other in zip(atoms, others, strict=True):
                if isinstance(atom, Symbol) and isinstance(other, Symbol):
                    self._match_symbols(atom, other)
                elif isinstance(atom, Symbol) or isinstance(other, Symbol):
                    raise Unlike
                else:
                    _require(atom.name == other.name and len(atom.args) == len(other.args))
                    for one, another in zip(atom.args, other.args, strict=True):
                        self._match_sizes(one, another)

    def _match_symbols(self, old: Symbol, new: Symbol) -> None:
        is_bounded = any(bound is not None for each in (old, new) for bound in (each.lower, each.upper))
        _require(not is_bounded and old.kind is new.kind and old.low == new.low)
        _require(self._is_free(old) and self._is_free(new))
        self._pair("symbol", self.symbols, old, new)

    def _pair(self, kind: str, pairs: dict[Key, Key], old: Key, new: Key) -> None:
        """Relate two things of a kind, each of which may be related to no other."""
        _require(pairs.setdefault(old, new) == new and self._taken.setdefault((kind, new), old) == old)


def is_real(value: Value | None) -> bool:
    """Return whether a value is a real number, or an array of such."""
    if isinstance(value, Tensor):
        return value.dtype is not None and value.dtype.startswith(("float", "complex"))
    return isinstance(value, Const) and isinstance(value.value, float)


def with_unknown_reals(value: Value) -> Value:
    """Return a value without the known real numbers in it."""
    if isinstance(value, Tensor):
        return replace(value, content=None) if value.content is not None and is_real(value) else value
    return Scalar("float") if is_real(value) else map_children(value, with_unknown_reals)


def _kind_of(value: Lost | Scalar) -> str:
    return value.reason if isinstance(value, Lost) else value.kind


def _require(holds: bool) -> None:
    if not holds:
        raise Unlike


class Translation:
    """A traversal that rebuilds a value with other unknowns, arrays and objects, as its methods tell.

    Alternatives are rebuilt once: their guards may hold the same ones many times.
    """

    def __init__(self) -> None:
        self._choices: dict[int, tuple[Choice, Choice]] = {}

    def array(self, array: Tensor) -> Tensor:
        raise NotImplementedError

    def address(self, address: int) -> int:
        raise NotImplementedError

    def unknown(self, unknown: Lost | Scalar) -> Value:
        raise NotImplementedError

    def size(self, size: Size) -> Size:
        raise NotImplementedError

    def fixed(self, value: Value) -> Value:
        """Return a value that stands for itself."""
        return value

    def value(self, value: Value) -> Value:
        """Return the translation of a value."""
        match value:
            case Tensor():
                return self.array(value)
            case Ref(address=address, cls=cls):
                return Ref(self.address(address), cls)
            case Lost() | Scalar():
                return self.unknown(value)
            case Int(size=size):
                return of_size(self.size(size))
        return self._of_parts(value)

    def _of_parts(self, value: Value) -> Value:
        """Return the translation of a value that has parts, or stands for itself."""
        match value:
            case Range(start=start, stop=stop, step=step):
                return Range(self.size(start), self.size(stop), self.size(step))
            case Method(owner=owner, function=function):
                self.fixed(function)
                return Method(self.value(owner), function)
            case BoundLibraryMethod(owner=owner, name=name):
                return BoundLibraryMethod(self.value(owner), name)
            case Partial(function=inner, args=args, keywords=keywords):
                named = tuple((name, self.value(each)) for name, each in keywords)
                return Partial(self.value(inner), tuple(map(self.value, args)), named)
            case Choice(options=options):
                if id(value) not in self._choices:
                    made = Choice(tuple((self._guard(guard), self.value(option)) for guard, option in options))
                    self._choices[id(value)] = value, made
                return self._choices[id(value)][1]
            case Dict(items=pairs, rest=rest):
                known = tuple((self.value(key), self.value(each)) for key, each in pairs)
                return Dict(known, None if rest is None else self.value(rest))
            case HomogeneousSeq(length=length):
                many = cast("HomogeneousSeq", map_children(value, self.value))
                return replace(many, length=self.size(length))
            case Seq() | SliceValue():
                return map_children(value, self.value)
        return self.fixed(value)

    def _guard(self, guard: Guard) -> Guard:
        return tuple((self.value(condition), side) for condition, side in guard)
