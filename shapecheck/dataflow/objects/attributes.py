"""Attributes of values: instances, classes, modules, tensors and library objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.aliases import havoc_attribute, part_of
from shapecheck.dataflow.objects.array_classes import ARRAYS
from shapecheck.dataflow.objects.container_classes import KINDS, container_method, method_of_type
from shapecheck.dataflow.objects.declared_classes import FIELDS
from shapecheck.dataflow.objects.library_methods import run_method, tensor_class
from shapecheck.dataflow.objects.modules import WRITTEN_CLASSES, ensure_executed, module_attribute, written_class
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.objects.reassigned import note_reassigned_attribute
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.attribute_dict import HELD, OTHERS, UNKNOWN_NAMES
from shapecheck.dataflow.state.opaque_inputs import OpaqueInputs
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.sizes_of_parameters import SizesOfParameters
from shapecheck.dataflow.state.traces import Traces
from shapecheck.domain.join import generalise
from shapecheck.domain.values import (
    CONTAINERS,
    NONE,
    BoundLibraryMethod,
    Choice,
    Class,
    Const,
    Function,
    Library,
    Lost,
    Method,
    ModuleValue,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
    label_count,
)
from shapecheck.models.lang.names import canonical, is_object
from shapecheck.models.lang.registry import constant, lookup_attribute, lookup_method
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

PLAIN = (Library("builtins.object"), Library("abc.ABC"))
"""The bases of a class that give its objects no attributes."""
MADE_BY_OBJECT = (Library("builtins.object"), *map(Library, KINDS))
"""The bases whose `__new__` makes an instance without attributes and items."""
WITHOUT_CALLBACKS = ("assert", "_", "log")
"""How the names of inherited methods begin that call no method of the object, such as `assertEqual`."""
MADE = "attribute made by __getattr__"
"""The reason of an attribute that an object has only if its class makes it."""
MAIN = Library("__main__")
ABSTRACT = ("collections.abc", "collections", "typing")
"""The modules with abstract classes of containers."""
MAPPINGS = [f"{module}.{kind}" for module in ABSTRACT for kind in ("Mapping", "MutableMapping")]
"""The abstract classes whose methods follow from a few that a class defines."""
SUPER, VARS, GETATTR = (Library(f"builtins.{name}") for name in ("super", "vars", "getattr"))
OF_ALL_OBJECTS = {"__setattr__": Library("builtins.setattr"), "__getattr__": GETATTR, "__getattribute__": GETATTR}
PROPERTY, STATIC, OF_CLASS = map(Library, ("builtins.property", "builtins.staticmethod", "builtins.classmethod"))
MEMBER_KINDS: dict[Value, str] = {
    PROPERTY: "property",
    Library("functools.cached_property"): "cached",
    STATIC: "static",
}
MEMBER_KINDS |= {OF_CLASS: "class"}
"""The kinds of members of a class that these builtins make of functions."""
COMPUTED = ("property", "cached")
"""The kinds of members whose functions are called where they are read; what is cached is computed once."""
NEVER_CALLED = ("__init__", "__new__", "setUp", "setUpClass")
"""Methods that no one calls again by their name."""


def get_attribute(t: Tracer, owner: Value, name: str, place: Place) -> Value:
    """Return `owner.name`."""
    match owner:
        case Library(name=path):
            return _library_attribute(t, path, name)
        case ModuleValue(address=address):
            return module_attribute(t, address, name)
        case Ref() if owner.cls not in CONTAINERS:
            found = instance_attribute(t, owner, name, place)
            return _inherited(t, owner, name) if found is None else found
        case Class():
            found = class_attribute(t, owner, name) or _class_method(t, owner, name)
            return t.lost("unknown class attribute") if found is None else _of_class(owner, found)
        case Tensor():
            return _model_attribute(t, tensor_class(owner), owner, name, place)
        case Seq(kind="shape"):
            return _model_attribute(t, "tf.TensorShape", owner, name, place)
        case Seq(kind="tuple"):
            return _model_attribute(t, "tuple", owner, name, place)
        case Partial(function=function, args=args) if function == SUPER or (function == VARS and name == "get"):
            return super_attribute(t, args, name) if function == SUPER else Partial(GETATTR, args)
        case Function() | Method() | BoundLibraryMethod() if (told := _of_definition(t, owner, name)) is not None:
            return told
        case Function(key=key):
            found = t.heap.get((-1 - key, name))
            return BoundLibraryMethod(owner, name) if found is None else found
        case Lost():
            found = part_of(t, t.lost(owner.reason), owner, name)
            t.component(SizesOfParameters).note_part(owner, name, found)
            return found
    labels = label_count(owner) if name == "values" else None
    return BoundLibraryMethod(owner, name) if labels is None else _labels(owner, labels)


def _labels(owner: Value, count: Size) -> Tensor:
    """Return the array of the labels of an index."""
    content = Seq("list", owner.items) if isinstance(owner, Seq) else None
    return Tensor(Shape((count,)), "object", "np", content=content)


def _inherited(t: Tracer, owner: Ref, name: str) -> Value:
    """Return an unknown attribute of an object; where a method of the object may have it, it is noted as such.

    Some that all objects have are called by programs in place of a builtin.
    """
    if owner.cls == "user" and name in OF_ALL_OBJECTS:
        return Partial(OF_ALL_OBJECTS[name], (owner,))
    found = t.lost("unknown attribute of an object")
    if owner.cls == "user" and not name.startswith(WITHOUT_CALLBACKS):
        t.component(Aliases).inherited[found] = owner
    return found


def _library_attribute(t: Tracer, path: str, name: str) -> Value:
    """Return an attribute of a library name."""
    if name == "__dict__" and not is_object(path):
        return Partial(VARS, (Library(path),))
    full = canonical(f"{path}.{name}")
    value = constant(full)
    if value is not None:
        return value
    if full in WRITTEN_CLASSES:
        return written_class(t, name)
    assigned = t.heap.get((0, full))
    if assigned is None and is_object(path):
        assigned = t.lost("attribute of a library object that may have been set")
        t.heap.set((0, full), assigned)
    return Library(full) if assigned is None else assigned


def _model_attribute(t: Tracer, cls: str, owner: Value, name: str, place: Place) -> Value:
    """Return an attribute that a model computes, or a method."""
    model = lookup_attribute(cls, name)
    if model is not None:
        return t.run_model(model, f"{cls}.{name}", Arguments(place, [owner]))
    is_private = name.startswith("_") and not name.startswith("__")
    if not is_private or lookup_method(cls, name) is not None:
        return BoundLibraryMethod(owner, name)
    found = t.lost("private attribute")
    t.component(OpaqueInputs).note(found, [owner])
    return found


def find_attribute(t: Tracer, owner: Value, name: str) -> Value | None:
    """Return an attribute of an instance, what models have set for an object of a library, or a variable of the module
    that runs as `__main__`; None without one.
    """
    if isinstance(owner, Ref):
        value = instance_attribute(t, owner, name, t.place)
    elif isinstance(owner, Class):
        value = class_attribute(t, owner, name)
    elif owner == MAIN:
        value = t.heap.get((t.program.main, name))
    else:
        value = t.heap.get((0, f"{owner.name}.{name}")) if isinstance(owner, Library) else None
    return t.select(value) if isinstance(value, Choice) else value


def special_method(t: Tracer, owner: Ref, name: str) -> Value | None:
    """Return a method that stands for an operator, for which Python asks no `__getattr__`; None without one."""
    value = instance_attribute(t, owner, name, t.place, is_special=True)
    return t.select(value) if isinstance(value, Choice) else value


def instance_attribute(
    t: Tracer, owner: Ref, name: str, place: Place | None, *, is_special: bool = False
) -> Value | None:
    """Return an attribute of an instance: its own, its class's (bound), or that of a library base; None without one."""
    own = t.heap.get((owner.address, name))
    if own is not None:
        return own
    if name == "__dict__":
        return attribute_dict(t, owner)
    if name == "__class__":
        return t.heap.get((owner.address, "__class__")) or Library(owner.cls)
    cls = t.heap.get((owner.address, "__class__"))
    if isinstance(cls, Class):
        found = class_attribute(t, cls, name)
        if found is not None and not isinstance(found, (Function, Method)) and has_unknown_names(t, owner, cls):
            return t.lost("attribute set under an unknown name")
        if found is not None:
            bound = bind(t, owner, _descriptor_value(t, owner, cls, found))
            if _member_kind(t, found) == "cached":
                t.heap.set((owner.address, name), bound)
            return bound
        bases = [base for base in mro(t, cls) if not isinstance(base, Class)]
    else:
        bases = [Library(owner.cls)]
    for base in bases:
        if isinstance(base, Library):
            value = _library_member(t, owner, base.name, name, place) or _mixin_method(t, owner, base.name, name)
            if value is not None:
                return value
    getter = _method(t, owner, "__getattr__") if isinstance(cls, Class) and not is_special else None
    return None if getter is None else _made_attribute(t, owner, getter, name)


def _mixin_method(t: Tracer, owner: Ref, base: str, name: str) -> Value | None:
    """Return a method that a class has as a mapping of `collections.abc`, bound, or None."""
    cls = written_class(t, "MutableMapping") if base in MAPPINGS else None
    member = class_attribute(t, cls, name) if isinstance(cls, Class) else None
    return Method(owner, member) if isinstance(member, Function) else None


def _method(t: Tracer, owner: Ref, name: str) -> Value | None:
    """Return a special method that the class of an object defines, bound, or None."""
    cls = t.heap.get((owner.address, "__class__"))
    member = class_attribute(t, cls, name) if isinstance(cls, Class) else None
    return Method(owner, member) if isinstance(member, Function) else method_of_type(t, owner, member)


def _made_attribute(t: Tracer, owner: Ref, getter: Value, name: str) -> Value:
    """Return what `__getattr__` makes of a name that is no attribute; lost for one that it refuses."""
    lost = t.lost(MADE)
    if name.startswith("__") or t.heap.get((owner.address, UNKNOWN_NAMES)) is not None:
        return lost
    mark = t.heap.mark()
    try:
        made = t.call_here(getter, [Const(name)])
        return part_of(t, lost, made) if isinstance(made, Lost) else made
    except PathEnds:
        t.heap.rollback(mark)
        return lost


def _descriptor_value(t: Tracer, owner: Ref, cls: Class, member: Value) -> Value:
    """Return a class member, or the result of its `__get__` if it is a descriptor of the program."""
    getter = _descriptor_method(t, member, "__get__")
    return member if getter is None else t.call_here(getter, [owner, cls])


def _descriptor_method(t: Tracer, member: Value | None, name: str) -> Value | None:
    """Return a method of a descriptor such as `__get__`, bound, or None."""
    cls = t.heap.get((member.address, "__class__")) if isinstance(member, Ref) and member.cls == "user" else None
    function = class_attribute(t, cls, name) if isinstance(cls, Class) else None
    return Method(member, function) if isinstance(function, Function) and member is not None else function


def has_unknown_names(t: Tracer, owner: Ref, cls: Class) -> bool:
    """Return whether the value of a class attribute is uncertain for an instance.

    An attribute of an unknown name was set, or `__setattr__` is something that is not followed.
    """
    is_followed = class_attribute(t, cls, "__setattr__") is None or _method(t, owner, "__setattr__") is not None
    return t.heap.get((owner.address, UNKNOWN_NAMES)) is not None or not is_followed


def overrides(t: Tracer, owner: Ref) -> Iterator[Method]:
    """Yield the methods of an object that a base which is not known may call, at any time after the object was made."""
    if not all(isinstance(base, Class) for base in _order(t, owner)):
        yield from methods(t, owner)


def methods(t: Tracer, owner: Ref) -> Iterator[Method]:
    """Yield the methods of an object that may be called after it was made."""
    for base in _order(t, owner):
        for name, member in t.heap.at(base.address) if isinstance(base, Class) else ():
            if isinstance(member, Function) and name not in NEVER_CALLED:
                yield Method(owner, member)


def _order(t: Tracer, owner: Ref) -> list[Value]:
    """Return the MRO of the class of an object."""
    cls = t.heap.get((owner.address, "__class__"))
    return mro(t, cls) if isinstance(cls, Class) else []


def attribute_dict(t: Tracer, owner: Ref) -> Ref:
    """Return `__dict__` of an object, with unknown entries if it may have attributes that are not known."""
    made = t.new_container("dict", owner)
    if _may_have_others(t, owner):
        t.heap.set((made.address, OTHERS), t.lost("attribute of an object that is not known"))
    return made


def _may_have_others(t: Tracer, owner: Ref) -> bool:
    """Return whether an object may have attributes that are not known, or under other names than they are written."""
    bases = [base for base in _order(t, owner) if base not in PLAIN]
    bases = [base for base in bases if not isinstance(base, Library) or base.name not in KINDS]
    written = [name for name, _ in t.heap.at(owner.address) if isinstance(name, str) and name[:2] == "__"]
    is_whole = bool(bases) and all(isinstance(base, Class) for base in bases) and set(written) <= {"__class__", HELD}
    return t.is_standalone or not is_whole


def _library_member(t: Tracer, owner: Ref, cls: str, name: str, place: Place | None) -> Value | None:
    """Return a member of a library class, or None."""
    where = place or t.place
    of_container = container_method(t, owner, cls, name)
    if of_container is not None:
        return of_container
    model = lookup_attribute(cls, name)
    if model is not None:
        return t.run_model(model, f"{cls}.{name}", Arguments(where, [owner])) if where is not None else None
    if lookup_method(cls, name) is not None:
        return BoundLibraryMethod(owner, name)
    other = None if name.startswith("_") else lookup_method(cls, "__getattr__")
    if other is None or where is None:
        return None
    return t.run_model(other, f"{cls}.__getattr__", Arguments(where, [owner, Const(name)]))


def as_member(t: Tracer, wrapper: Library, function: Value) -> Value:
    """Return a function as the member that `property`, `staticmethod` or `classmethod` makes of it."""
    is_told = isinstance(function, Function) and t.functions[function.key].kind == MEMBER_KINDS[wrapper]
    return function if is_told else Partial(wrapper, (function,))


def _of_class(cls: Value, member: Value) -> Value:
    """Return a class member as an attribute of the class."""
    if isinstance(member, Partial) and member.function == STATIC:
        return member.args[0]
    if isinstance(member, Partial) and member.function == OF_CLASS:
        return Partial(member.args[0], (cls,))
    return member


def _class_method(t: Tracer, cls: Class, name: str) -> Value | None:
    """Return a class method of a library's class that a class of the program derives from, None if it has none."""
    bases = (base.name for base in mro(t, cls) if isinstance(base, Library))
    found = next((full for base in bases if has(full := f"{base}.{name}", "is of a class")), None)
    return None if found is None else Partial(Library(found), (cls,))


def bind(t: Tracer, owner: Value, member: Value) -> Value:
    """Return a class member as an attribute of an instance."""
    if isinstance(member, Partial) and member.function in MEMBER_KINDS:
        if MEMBER_KINDS[member.function] in COMPUTED:
            return t.call_here(member.args[0], [owner])
        cls = t.heap.get((owner.address, "__class__")) if isinstance(owner, Ref) else None
        return _of_class(owner if cls is None else cls, member)
    if isinstance(member, Partial) and isinstance(member.function, Library) and has(member.function.name, "is bound"):
        return replace(member, args=(*member.args, owner))
    if not isinstance(member, Function):
        return member
    kind = t.functions[member.key].kind
    if kind == "static":
        return member
    if kind == "class":
        cls = t.heap.get((owner.address, "__class__")) if isinstance(owner, Ref) else owner
        return Method(cls if cls is not None else owner, member)
    if kind in COMPUTED:
        return t.call_here(Method(owner, member), [])
    return Method(owner, member)


def _member_kind(t: Tracer, member: Value) -> str:
    """Return how a class member is bound, "" for anything but a function."""
    if isinstance(member, Partial):
        return MEMBER_KINDS.get(member.function, "")
    return t.functions[member.key].kind if isinstance(member, Function) else ""


def super_attribute(t: Tracer, args: tuple[Value, ...], name: str) -> Value:
    """Return `super().name`: the member of the next class in the MRO."""
    if len(args) != 2 or not isinstance(args[0], Class):
        return t.lost("super of a lost class")
    start, owner = args
    cls = t.heap.get((owner.address, "__class__")) if isinstance(owner, Ref) else owner
    order = mro(t, cls) if isinstance(cls, Class) else []
    after = order[order.index(start) + 1 :] if start in order else []
    for base in after:
        if isinstance(base, Class):
            value = t.heap.get((base.address, name))
            if value is not None:
                return bind(t, owner, value)
        elif isinstance(base, Library):
            found = _super_member(t, owner, base.name, name)
            if found is not None:
                return found
        elif isinstance(base, Lost):
            return t.lost("attribute of an unknown base")
    if name == "__new__":
        return _maker(t, after)
    if name in ("__setattr__", "__getattribute__"):
        return Partial(Library(f"builtins.object.{name}"), (owner,))
    if name in ("__init__", "__init_subclass__", "build"):
        return Library("builtins.nothing")
    return t.lost("unknown attribute of super")


def _super_member(t: Tracer, owner: Value, cls: str, name: str) -> Value | None:
    """Return a member of a library class as `super()` gives it, None if the class has none of this name."""
    if lookup_method(cls, name) is not None:
        return Partial(Library(f"method {cls}"), (owner, Const(name)))
    if lookup_attribute(cls, name) is not None and isinstance(owner, Ref):
        found = _library_member(t, owner, cls, name, t.place)
        return t.lost("unknown attribute of super") if found is None else found
    return container_method(t, owner, cls, name)


def _is_set_by_model(t: Tracer, owner: Ref, name: str, value: Value) -> bool:
    """Set an attribute of a library object whose class has a model for that; return False if it has none."""
    model = lookup_method(owner.cls, f"__set_{name}__")
    of_any = None if name.startswith("_") else lookup_method(owner.cls, "__setattr__")
    if t.place is None or (model is None and of_any is None):
        return False
    if model is not None:
        t.run_model(model, f"{owner.cls}.{name}", Arguments(t.place, [owner, value]))
    elif of_any is not None:
        t.run_model(of_any, f"{owner.cls}.__setattr__", Arguments(t.place, [owner, Const(name), value]))
    return True


def _maker(t: Tracer, bases: Sequence[Value]) -> Value:
    """Return the `__new__` of the nearest of these bases, none of which defines it in the program."""
    if ARRAYS in bases:
        return Library("np.ndarray.__new__")
    is_plain = all(isinstance(base, Class) or base in MADE_BY_OBJECT for base in bases)
    has_fields = any(t.heap.get((base.address, FIELDS)) is not None for base in bases if isinstance(base, Class))
    return t.lost("object made by its base") if has_fields or not is_plain else Library("builtins.object.__new__")


def _of_many(t: Tracer, address: int, name: str, value: Value) -> Value:
    """Return the value of an attribute after an assignment: of an object that stands for many, others may keep theirs,
    unless it is None."""
    before = None if t.heap.get((address, "many")) is None else t.heap.get((address, name))
    options = [option for _, option in before.options] if isinstance(before, Choice) else [before]
    return reduce(generalise, [option for option in options if option not in (None, NONE)], value)


def _setter(t: Tracer, owner: Ref, name: str, plainly: bool) -> tuple[Value, Sequence[Value]] | None:
    """Return the function of the program that sets an attribute, with its first arguments: `__setattr__` of the class,
    or that of a descriptor or a property."""
    cls = t.heap.get((owner.address, "__class__"))
    if not isinstance(cls, Class):
        return None
    of_any = None if plainly else _method(t, owner, "__setattr__")
    if of_any is not None:
        return of_any, [Const(name)]
    found, member = class_attribute(t, cls, f"{name}.setter"), class_attribute(t, cls, name)
    described = _descriptor_method(t, member, "__set__")
    if described is not None:
        return described, [owner]
    return (Method(owner, found), []) if isinstance(found, Function) else None


def _of_definition(t: Tracer, owner: Value, name: str) -> Const | None:
    """Return what the definition of a function tells: its name, or the number of its parameters."""
    match owner:
        case Function(name=named) | Method(function=Function(name=named)) if name in ("__name__", "__qualname__"):
            return Const(named)
        case BoundLibraryMethod(owner=Function(key=key), name="__code__") if name == "co_argcount":
            return Const(sum(param.kind in ("plain", "positional") for param in t.functions[key].node.params))
    return None


def set_attribute(t: Tracer, owner: Value, name: str, value: Value, *, plainly: bool = False) -> Value:
    """Set `owner.name = value`; return None, as every assignment. It is set `plainly` as `object.__setattr__` does it:
    descriptors and properties are asked, a `__setattr__` of the program is not."""
    setter = _setter(t, owner, name, plainly) if isinstance(owner, Ref) else None
    if setter is not None:
        t.call_here(setter[0], [*setter[1], value])
    else:
        _store(t, owner, name, value)
    return NONE


def _store(t: Tracer, owner: Value, name: str, value: Value) -> None:
    """Set an attribute that no function of the program sets."""
    match owner:
        case Ref() if name == "__dict__":
            contents = t.freeze(value, deep=False)
            attributes = attribute_dict(t, owner)
            t.set_contents(attributes, contents)
            if value == owner:  # a dict whose items are its attributes
                t.heap.set((owner.address, HELD), attributes)
        case Ref() if _is_set_by_model(t, owner, name, value):
            pass
        case Ref(address=address) | Class(address=address) | ModuleValue(address=address):
            if isinstance(owner, ModuleValue):
                ensure_executed(t, address)  # otherwise its own assignments would come later
            note_reassigned_attribute(t, (address, name), value)
            if not t.stage.is_eager:
                t.component(Traces).attributes.add((address, name))
            t.heap.set((address, name), _of_many(t, address, name, value))
        case Tensor() if name == "shape":
            reshaped = run_method(t, owner, "reshape", [value]) if t.place is not None else None
            t.refine(owner, owner.with_shape(reshaped.shape if isinstance(reshaped, Tensor) else UNRANKED))
        case Function(key=key):
            t.heap.set((-1 - key, name), value)
        case Library(name=path):
            t.heap.set((0, f"{path}.{name}"), value)
        case Lost():
            t.component(SizesOfParameters).note_assignment(owner, name)
            havoc_attribute(t, owner, name)
