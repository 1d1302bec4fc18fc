"""Classes that Python makes from declarations: data classes, named tuples and enumerations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow import objects
from shapecheck.dataflow.builtins.registry import Args, Named, builtin
from shapecheck.source import Place
from shapecheck.values import FALSE, Class, Code, Const, Dict, Library, Partial, Ref, Seq, Value, as_str, is_constant

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

DATACLASS = Library("dataclasses.dataclass")
FIELD = Library("dataclasses.field")
NAMED_TUPLE = Library("typing.NamedTuple")
TUPLE_CLASS = Library("collections.namedtuple.__new__")  # what a call of `namedtuple` gives, bound to the fields
ENUMERATIONS = (Library("enum.Enum"), Library("enum.Flag"))
FIELDS, ITEMS = "__fields__", "__items__"


@builtin("dataclasses.dataclass")
def dataclass(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    """Called with options it gives the decorator, which is the same function still without a class."""
    if not args or not isinstance(args[0], Class):
        return Partial(DATACLASS, (), tuple(named.items()))
    make_fields(t, args[0], FIELDS)
    return args[0]


@builtin("dataclasses.field")
def field(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return Partial(FIELD, (), tuple(named.items()))


@builtin("dataclasses.replace")
def replace(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    cls, fields = _declared(t, args)
    if cls is None:
        return t.lost("replacement of what is no data class")
    values = {name: t.store.get((args[0].address, name)) for name in fields}  # type: ignore[union-attr]
    given = {name: value for name, value in values.items() if value is not None} | dict(named)
    return t.context.call(cls, [], given)


@builtin("dataclasses.asdict")
def asdict(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    cls, fields = _declared(t, args)
    if cls is None:
        return t.lost("fields of what is no data class")
    items = [(Const(name), t.store.get((args[0].address, name))) for name in fields]  # type: ignore[union-attr]
    return t.new_container("dict", Dict(tuple((name, value) for name, value in items if value is not None)))


def _declared(t: Tracer, args: Args) -> tuple[Class | None, list[str]]:
    """The data class of an instance and the names of its fields."""
    owner = args[0] if args else None
    cls = t.store.get((owner.address, "__class__")) if isinstance(owner, Ref) else None
    fields = objects.class_attribute(t, cls, FIELDS) if isinstance(cls, Class) else None
    if not isinstance(cls, Class) or not isinstance(fields, Seq):
        return None, []
    return cls, [name for item in fields.items if (name := as_str(item)) is not None]


def make_fields(t: Tracer, cls: Class, cell: str) -> None:
    """The annotated names of a class, inherited ones first."""
    names: dict[Value, None] = {}
    for base in reversed(objects.mro(t, cls)):
        if isinstance(base, Class):
            own = t.store.get((base.address, "__annotated__"))
            names.update(dict.fromkeys(own.items if isinstance(own, Seq) else ()))
    t.store.set((cls.address, cell), Seq("tuple", tuple(names)))


def bind_fields(t: Tracer, ref: Ref, cls: Class, fields: Seq, args: Sequence[Value], named: Named) -> None:
    """What the generated constructor does."""
    names = [name for item in fields.items if (name := as_str(item)) is not None]
    defaults = {name: objects.class_attribute(t, cls, name) for name in names}
    given = dict(zip((name for name in names if _is_parameter(defaults[name])), args, strict=False)) | dict(named)
    if objects.class_attribute(t, cls, "__setattr__") is not None:
        defaults = {}  # the program decides what setting an attribute means
    for name in names:
        value = given.get(name) or _default(t, defaults.get(name))
        t.store.set((ref.address, name), value if value is not None else t.lost("field that is not given"))


def _is_parameter(default: Value | None) -> bool:
    is_field = isinstance(default, Partial) and default.function == FIELD
    return not is_field or dict(default.keywords).get("init") != FALSE  # type: ignore[union-attr]


def _default(t: Tracer, default: Value | None) -> Value | None:
    if not isinstance(default, Partial) or default.function != FIELD:
        return default
    options = dict(default.keywords)
    factory = options.get("default_factory")
    return options.get("default") if factory is None else t.context.call(factory, [])


def items(t: Tracer, owner: Ref) -> tuple[Value, ...] | None:
    """The items of an instance of a class derived from `NamedTuple`; None for any other."""
    cls = t.store.get((owner.address, "__class__"))
    names = objects.class_attribute(t, cls, ITEMS) if isinstance(cls, Class) else None
    if not isinstance(names, Seq):
        return None
    found = [t.store.get((owner.address, as_str(name))) for name in names.items]
    return tuple(value for value in found if value is not None)


# --- enumerations ----------------------------------------------------------------------------------------------------


def declare(t: Tracer, cls: Class, node: ir.ClassDef) -> None:
    """What the bases of a new class make of its body."""
    bases = objects.mro(t, cls)
    if NAMED_TUPLE in bases:
        make_fields(t, cls, FIELDS)
        make_fields(t, cls, ITEMS)
    for base in bases:
        if isinstance(base, Partial) and base.function == TUPLE_CLASS and not t.store.get((cls.address, "__new__")):
            t.store.set((cls.address, FIELDS), base.args[0])
            t.store.set((cls.address, ITEMS), base.args[0])
    if any(base in ENUMERATIONS for base in bases):
        _make_members(t, cls, node)


def _make_members(t: Tracer, cls: Class, node: ir.ClassDef) -> None:
    targets = [target for part in node.body if isinstance(part, ir.Assign) for target in part.targets]
    names = [target.id for target in targets if isinstance(target, ir.Name) and not target.id.startswith("_")]
    init = objects.class_attribute(t, cls, "__init__")
    made: dict[Value, Value] = {}  # two names of one value are one member
    for name in names:
        value = t.store.get((cls.address, name))
        if value is None or isinstance(value, Ref):
            continue
        if value in made:
            t.store.set((cls.address, name), made[value])
            continue
        member = t.context.new("user", __class__=cls, name=Const(name), value=value)
        if is_constant(value):
            made[value] = member
        t.store.set((cls.address, name), member)
        if isinstance(init, Code):
            t.context.call(init, [member, *(value.items if isinstance(value, Seq) else (value,))])
    t.store.set((cls.address, objects.MEMBERS), Seq("tuple", tuple(map(Const, names))))


def members(t: Tracer, cls: Class) -> dict[str, Value] | None:
    """The members of an enumeration by name; None for any other class."""
    names = t.store.get((cls.address, objects.MEMBERS))
    if not isinstance(names, Seq):
        return None
    found = {name: t.store.get((cls.address, name)) for item in names.items if (name := as_str(item)) is not None}
    return {name: value for name, value in found.items() if value is not None}


def member_of_value(t: Tracer, known: dict[str, Value], wanted: Value) -> Value:
    """`Kind(value)`."""
    for member in known.values():
        if member == wanted or (isinstance(member, Ref) and t.store.get((member.address, "value")) == wanted):
            return member
    return t.lost("member of an enumeration")
