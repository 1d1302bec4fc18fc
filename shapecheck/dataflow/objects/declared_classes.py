"""Classes that Python makes from declarations: data classes, named tuples and enumerations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects.enum_members import MEMBERS
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import (
    FALSE,
    NONE,
    Class,
    Const,
    Function,
    Library,
    Partial,
    Ref,
    Seq,
    Value,
    as_str,
    is_constant,
    items_of,
)
from shapecheck.models.lang.traits import has

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


DATACLASS = Library("dataclasses.dataclass")
FIELD = Library("dataclasses.field")
NAMED_TUPLE = Library("typing.NamedTuple")
TUPLE_CLASS = Library("collections.namedtuple.__new__")  # with the fields bound: the result of `namedtuple`
ENUMERATIONS = (Library("enum.Enum"), Library("enum.Flag"))
OTHERWISE_NUMBERED = (Library("enum.Flag"), Library("enum.StrEnum"))
AUTOMATIC = "enum.auto"
FIELDS, ITEMS, TREE = "__fields__", "__items__", "__tree__"


def make_fields(t: Tracer, cls: Class, cell: str) -> None:
    """Store the names of the annotated and the declared fields of a class, inherited ones first."""
    names: dict[Value, None] = {}
    for base in reversed(mro(t, cls)):
        if isinstance(base, Class):
            own = t.heap.get((base.address, "__annotated__"))
            names.update(dict.fromkeys(own.items if isinstance(own, Seq) else ()))
            names.update((Const(name), None) for name, value in t.heap.at(base.address) if _is_declared(value))
    t.heap.set((cls.address, cell), Seq("tuple", tuple(names)))


def bind_fields(t: Tracer, ref: Ref, cls: Class, fields: Seq, given: Arguments) -> None:
    """Set the fields of an instance as the generated constructor does."""
    names = [name for item in fields.items if (name := as_str(item)) is not None]
    defaults = {name: class_attribute(t, cls, name) for name in names}
    parameters = (name for name in names if _is_parameter(defaults[name]))
    values = dict(zip(parameters, given.args, strict=False)) | dict(given.keywords)
    if class_attribute(t, cls, "__setattr__") is not None:
        defaults = {}  # the program defines how attributes are set
    for name in names:
        public = name.lstrip("_")  # what `attrs` calls the parameter
        given_one = values.get(name) or (None if public in names else values.get(public))
        value = given_one or _default(t, defaults.get(name)) or t.lost("field without a value")
        converter = _option(defaults.get(name), "converter") or NONE
        t.heap.set((ref.address, name), value if converter == NONE else t.call_here(converter, [value]))


def _is_declared(value: Value) -> bool:
    return isinstance(value, Partial) and value.function == FIELD


def convert_fields(t: Tracer, ref: Ref, cls: Class) -> None:
    """Give the fields of a new instance, which a constructor of its own has set, to their converters."""
    fields = class_attribute(t, cls, FIELDS)
    names = [name for item in fields.items if (name := as_str(item)) is not None] if isinstance(fields, Seq) else []
    for name in names:
        converter, value = _option(class_attribute(t, cls, name), "converter"), t.heap.get((ref.address, name))
        if converter is not None and converter != NONE and value is not None:
            t.heap.set((ref.address, name), t.call_here(converter, [value]))


def _is_parameter(default: Value | None) -> bool:
    """Return whether a field is a parameter of the constructor."""
    return default is None or _option(default, "init") != FALSE


def _option(declared: Value | None, name: str) -> Value | None:
    """Return an option of the declaration of a field; None without one."""
    return dict(declared.keywords).get(name) if isinstance(declared, Partial) and _is_declared(declared) else None


def _default(t: Tracer, default: Value | None) -> Value | None:
    """Return the default value of a field, or None."""
    if not isinstance(default, Partial) or default.function != FIELD:
        return default
    options = dict(default.keywords)
    factory = options.get("default_factory")
    return options.get("default") if factory is None else t.call_here(factory, [])


def items(t: Tracer, owner: Ref) -> tuple[Value, ...] | None:
    """Return the items of a tuple with names, whose class may be derived from `NamedTuple`; None for other objects."""
    if owner.cls == "collections.namedtuple":
        return items_of(t.heap.get((owner.address, "_items")) or NONE)
    cls = t.heap.get((owner.address, "__class__"))
    names = class_attribute(t, cls, ITEMS) if isinstance(cls, Class) else None
    if not isinstance(names, Seq):
        return None
    found = [t.heap.get((owner.address, as_str(name))) for name in names.items]
    return tuple(value for value in found if value is not None)


def declare(t: Tracer, cls: Class, node: ir.ClassDef) -> None:
    """Declare what the bases of a new class require: fields, items or members."""
    bases = mro(t, cls)
    if any(isinstance(base, Library) and has(base.name, "makes data classes") for base in bases):
        make_fields(t, cls, FIELDS)
    if any(isinstance(base, Library) and has(base.name, "makes trees") for base in bases):
        make_fields(t, cls, TREE)
    if NAMED_TUPLE in bases:
        make_fields(t, cls, FIELDS)
        make_fields(t, cls, ITEMS)
    for base in bases:
        if isinstance(base, Partial) and base.function == TUPLE_CLASS and not t.heap.get((cls.address, "__new__")):
            t.heap.set((cls.address, FIELDS), base.args[0])
            t.heap.set((cls.address, ITEMS), base.args[0])
    if any(base in ENUMERATIONS for base in bases):
        _make_members(t, cls, node)
    if any(isinstance(base, Library) and has(base.name, "makes members of its attributes") for base in bases):
        for name, value in list(t.heap.at(cls.address)):
            if isinstance(value, Const) and isinstance(name, str) and not name.startswith("_"):
                t.heap.set((cls.address, name), t.lost("member of an enumeration"))


def _make_members(t: Tracer, cls: Class, node: ir.ClassDef) -> None:
    """Make the members of an enumeration."""
    targets = [target for part in node.body if isinstance(part, ir.Assign) for target in part.targets]
    names = [target.id for target in targets if isinstance(target, ir.Name) and not target.id.startswith("_")]
    init = class_attribute(t, cls, "__init__")
    made: dict[Value, Value] = {}  # two names with the same value are one member
    for name in names:
        value = t.heap.get((cls.address, name))
        if value is None:
            continue
        if isinstance(value, Ref) and value.cls == AUTOMATIC:
            value = _next_value(t, cls, list(made))
        if value in made:
            t.heap.set((cls.address, name), made[value])
            continue
        member = t.new_object("user", __class__=cls, name=Const(name), value=value)
        if is_constant(value):
            made[value] = member
        t.heap.set((cls.address, name), member)
        if isinstance(init, Function):
            t.call_here(init, [member, *(value.items if isinstance(value, Seq) else (value,))])
    t.heap.set((cls.address, MEMBERS), Seq("tuple", tuple(map(Const, names))))


def _next_value(t: Tracer, cls: Class, earlier: list[Value]) -> Value:
    """Return the value of a member that is declared as `auto()`: one more than that of the member before."""
    last = earlier[-1].value if earlier and isinstance(earlier[-1], Const) else None if earlier else 0
    is_other = any(base in OTHERWISE_NUMBERED for base in mro(t, cls))
    if is_other or not isinstance(last, int) or class_attribute(t, cls, "_generate_next_value_") is not None:
        return t.lost("value of a member of an enumeration")
    return Const(last + 1)


def members(t: Tracer, cls: Class) -> dict[str, Value] | None:
    """Return the members of an enumeration by name; None for other classes."""
    names = t.heap.get((cls.address, MEMBERS))
    if not isinstance(names, Seq):
        return None
    found = {name: t.heap.get((cls.address, name)) for item in names.items if (name := as_str(item)) is not None}
    return {name: value for name, value in found.items() if value is not None}


def member_of_value(t: Tracer, known: dict[str, Value], wanted: Value) -> Value:
    """Return the member of `Enumeration(value)`."""
    for member in known.values():
        if member == wanted or (isinstance(member, Ref) and t.heap.get((member.address, "value")) == wanted):
            return member
    return t.lost("member of an enumeration")
