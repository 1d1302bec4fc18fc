"""Attributes, classes and instances: Python's object model over heap cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.rebound import note_reset
from shapecheck.models.lang.names import canonical, is_object
from shapecheck.models.lang.op import constant, library_bases, lookup_attribute, lookup_method
from shapecheck.shapes.shape import UNRANKED
from shapecheck.source import Place
from shapecheck.values import (
    NONE,
    TRUE,
    Bound,
    Class,
    Code,
    Const,
    Library,
    Lost,
    Method,
    ModuleValue,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_IMPORTS = 50
BLURRED = "__blurred__"
MAX_ANCESTORS = 30
CONTAINERS = ("list", "dict", "set")
MAIN = Library("__main__")
SUPER = Library("builtins.super")
MEMBERS = "__members__"  # of an enumeration: the names of its members
ROLES = {"variable": "tf.Variable", "sparse": "tf.SparseTensor", "ragged": "tf.RaggedTensor"}


def tensor_class(tensor: Tensor) -> str:
    """The library class whose methods a tensor has."""
    if tensor.library == "np":
        return "np.matrix" if tensor.role == "matrix" else "np.ndarray"
    if tensor.library == "keras":
        return "keras.KerasTensor"
    return ROLES.get(tensor.role, "tf.Tensor")


def get_attribute(t: Tracer, owner: Value, name: str, place: Place) -> Value:
    """`owner.name`."""
    match owner:
        case Library(name=path):
            return _library_attribute(t, path, name)
        case ModuleValue(address=address):
            return module_attribute(t, address, name)
        case Ref() if owner.cls not in CONTAINERS:
            found = instance_attribute(t, owner, name, place)
            return t.lost("unknown attribute") if found is None else found
        case Class():
            found = class_attribute(t, owner, name)
            return t.lost("unknown class attribute") if found is None else found
        case Tensor():
            return _model_attribute(t, tensor_class(owner), owner, name, place)
        case Seq(kind="shape"):
            return _model_attribute(t, "tf.TensorShape", owner, name, place)
        case Seq(kind="tuple"):
            return _model_attribute(t, "tuple", owner, name, place)
        case Partial(function=function, args=args) if function == SUPER:
            return super_attribute(t, args, name)
        case Code() | Method() if name in ("__name__", "__qualname__"):
            return Const(owner.name if isinstance(owner, Code) else owner.function.name)
        case Code(key=key):
            found = t.store.get((-1 - key, name))
            return Bound(owner, name) if found is None else found
        case Lost():
            return t.lost(owner.reason)
    return Bound(owner, name)


def _library_attribute(t: Tracer, path: str, name: str) -> Value:
    full = canonical(f"{path}.{name}")
    value = constant(full)
    if value is not None:
        return value
    assigned = t.store.get((0, full))
    if assigned is None and is_object(path):
        assigned = t.lost("attribute that is set elsewhere")
        t.store.set((0, full), assigned)
    return Library(full) if assigned is None else assigned


def _model_attribute(t: Tracer, cls: str, owner: Value, name: str, place: Place) -> Value:
    model = lookup_attribute(cls, name)
    if model is not None:
        return t.context.run(model, f"{cls}.{name}", [owner], {}, place)
    is_private = name.startswith("_") and not name.startswith("__")
    return t.lost("private attribute") if is_private and lookup_method(cls, name) is None else Bound(owner, name)


def module_attribute(t: Tracer, address: int, name: str) -> Value:
    t.project.ensure(t, address)
    value = t.store.get((address, name))
    if isinstance(value, Bound) and isinstance(value.owner, ModuleValue):
        if len(t.importing) > MAX_IMPORTS or (value.owner.address, value.name) in t.importing:
            return t.project.submodule(t, value.owner.address, value.name) or t.lost("import in a circle")
        t.importing.append((value.owner.address, value.name))
        value = module_attribute(t, value.owner.address, value.name)
        t.importing.pop()
        t.store.set((address, name), value)
    if value is not None:
        return value
    submodule = t.project.submodule(t, address, name)
    return t.lost("unknown attribute of a module") if submodule is None else submodule


def held_attribute(t: Tracer, owner: Value, name: str) -> Value | None:
    """An attribute of an instance, or a variable of the module that runs as `__main__`; None if there is none."""
    if isinstance(owner, Ref):
        return instance_attribute(t, owner, name, t.place)
    return t.store.get((t.project.main, name)) if owner == MAIN else None


def instance_attribute(t: Tracer, owner: Ref, name: str, place: Place | None) -> Value | None:
    """An attribute of an instance: its own, its class's (bound), its library base's; None if there is none."""
    own = t.store.get((owner.address, name))
    if own is not None:
        return own
    if name == "__dict__":
        blur(t, owner)
        return t.lost("attributes as a dict")
    if name == "__class__":
        return t.store.get((owner.address, "__class__")) or Library(owner.cls)
    cls = t.store.get((owner.address, "__class__"))
    if isinstance(cls, Class):
        found = class_attribute(t, cls, name)
        if found is not None and not isinstance(found, (Code, Method)) and _is_blurred(t, owner, cls):
            return t.lost("attribute set under an unknown name")
        if found is not None:
            return bind(t, owner, _described(t, owner, cls, found))
        bases = [base for base in mro(t, cls) if not isinstance(base, Class)]
    else:
        bases = [Library(owner.cls)]
    for base in bases:
        if isinstance(base, Library):
            value = _library_member(t, owner, base.name, name, place)
            if value is not None:
                return value
    getter = class_attribute(t, cls, "__getattr__") if isinstance(cls, Class) else None
    if isinstance(getter, Code):
        return t.lost("attribute made by __getattr__")
    return None


def _described(t: Tracer, owner: Ref, cls: Class, member: Value) -> Value:
    """A class member, or what it gives for an instance where it is a descriptor of the program."""
    getter = _descriptors(t, member, "__get__")
    return member if getter is None else t.call_now(getter, [owner, cls])


def _descriptors(t: Tracer, member: Value | None, name: str) -> Value | None:
    """A function by which a member of a class answers for the attribute of its name."""
    cls = t.store.get((member.address, "__class__")) if isinstance(member, Ref) and member.cls == "user" else None
    function = class_attribute(t, cls, name) if isinstance(cls, Class) else None
    return Method(member, function) if isinstance(function, Code) and member is not None else function


def _is_blurred(t: Tracer, owner: Ref, cls: Class) -> bool:
    """Whether an attribute may be another than its class says: one of an unknown name was set, or setting is the
    program's own business."""
    return t.store.get((owner.address, BLURRED)) is not None or class_attribute(t, cls, "__setattr__") is not None


def blur(t: Tracer, owner: Ref) -> None:
    """An attribute of an unknown name was set: any of them may have another value now."""
    for key, _ in t.store.at(owner.address):
        if key != "__class__":
            t.store.set((owner.address, key), Lost("attribute set under an unknown name"))
    t.store.set((owner.address, BLURRED), TRUE)


def _library_member(t: Tracer, owner: Ref, cls: str, name: str, place: Place | None) -> Value | None:
    where = place or t.place
    model = lookup_attribute(cls, name)
    if model is not None:
        return t.context.run(model, f"{cls}.{name}", [owner], {}, where) if where is not None else None
    if lookup_method(cls, name) is not None:
        return Bound(owner, name)
    other = None if name.startswith("_") else lookup_method(cls, "__getattr__")
    if other is None or where is None:
        return None
    return t.context.run(other, f"{cls}.__getattr__", [owner, Const(name)], {}, where)


def bind(t: Tracer, owner: Value, member: Value) -> Value:
    """A class member as seen through an instance."""
    if not isinstance(member, Code):
        return member
    kind = t.definitions[member.key].kind
    if kind == "static":
        return member
    if kind == "class":
        cls = t.store.get((owner.address, "__class__")) if isinstance(owner, Ref) else owner
        return Method(cls if cls is not None else owner, member)
    if kind == "property":
        return t.context.call(Method(owner, member), [])
    return Method(owner, member)


def class_attribute(t: Tracer, cls: Class, name: str) -> Value | None:
    """A member found along the classes of the program that a class is made of."""
    for base in mro(t, cls):
        if isinstance(base, Class):
            value = t.store.get((base.address, name))
            if value is not None:
                if isinstance(value, Code) and t.definitions[value.key].kind == "class":
                    return Method(cls, value)
                return value
        elif isinstance(base, Lost):  # which may define it
            break
    if name == "__name__":
        return Const(cls.name)
    return None


def same_member(t: Tracer, left: Value, right: Value) -> bool | None:
    """Whether two members of one enumeration are equal; None for other values, or where the class itself says."""
    if not isinstance(left, Ref) or not isinstance(right, Ref):
        return None
    cls = t.store.get((left.address, "__class__"))
    if not isinstance(cls, Class) or cls != t.store.get((right.address, "__class__")):
        return None
    if class_attribute(t, cls, MEMBERS) is None or class_attribute(t, cls, "__eq__") is not None:
        return None
    return left == right


def bases(t: Tracer, cls: Class) -> tuple[Value, ...]:
    found = t.store.get((cls.address, "__bases__"))
    return found.items if isinstance(found, Seq) else ()


def mro(t: Tracer, cls: Class) -> list[Value]:
    """The class and everything it inherits from, in Python's order: a class before its bases, bases as written."""
    found = t.orders.get(cls.address)
    if found is None:
        found = t.orders[cls.address] = _linearised(t, cls, 0)
    return found


def _linearised(t: Tracer, cls: Value, depth: int) -> list[Value]:
    parents = bases(t, cls) if isinstance(cls, Class) and depth < MAX_ANCESTORS else ()
    if len(parents) == 1:
        return [cls, *_linearised(t, parents[0], depth + 1)]
    queues = [_linearised(t, parent, depth + 1) for parent in parents] + [list(parents)]
    order = [cls]
    while queues := [queue for queue in queues if queue]:
        heads = [queue[0] for queue in queues]
        following = next((head for head in heads if not any(head in queue[1:] for queue in queues)), heads[0])
        order.append(following)
        queues = [[value for value in queue if value != following] for queue in queues]
    return order


def is_subclass(t: Tracer, cls: Value, of: Value) -> bool | None:
    """Whether a class derives from another; None if a base is unknown."""
    if cls == of:
        return True
    if isinstance(cls, Library) and isinstance(of, Library):
        return any(is_subclass(t, Library(base), of) for base in library_bases(cls.name))
    if not isinstance(cls, Class):
        return None
    order = mro(t, cls)
    if of in order:
        return True
    if isinstance(of, Library) and any(is_subclass(t, base, of) for base in order if isinstance(base, Library)):
        return True
    return None if any(isinstance(base, Lost) for base in order) else False


def super_attribute(t: Tracer, args: tuple[Value, ...], name: str) -> Value:
    """`super().name`: the member of the next class after the one where the method was defined."""
    if len(args) != 2 or not isinstance(args[0], Class):
        return t.lost("super of a lost class")
    start, owner = args
    cls = t.store.get((owner.address, "__class__")) if isinstance(owner, Ref) else owner
    order = mro(t, cls) if isinstance(cls, Class) else []
    after = order[order.index(start) + 1 :] if start in order else []
    for base in after:
        if isinstance(base, Class):
            value = t.store.get((base.address, name))
            if value is not None:
                return bind(t, owner, value)
        elif isinstance(base, Library):
            if lookup_method(base.name, name) is not None:
                return Partial(Library(f"method {base.name}"), (owner, Const(name)))
            if lookup_attribute(base.name, name) is not None and isinstance(owner, Ref):
                found = _library_member(t, owner, base.name, name, t.place)
                return t.lost("unknown attribute of super") if found is None else found
        elif isinstance(base, Lost):
            return t.lost("attribute of an unknown base")
    if name in ("__init__", "__init_subclass__", "__new__", "build", "__setattr__"):
        return Library("builtins.nothing")
    return t.lost("unknown attribute of super")


def set_attribute(t: Tracer, owner: Value, name: str, value: Value) -> Value:
    """`owner.name = value`; None, as every assignment."""
    match owner:
        case Ref(address=address) | Class(address=address) | ModuleValue(address=address):
            setter = None
            if isinstance(owner, Ref):
                cls = t.store.get((address, "__class__"))
                found = class_attribute(t, cls, f"{name}.setter") if isinstance(cls, Class) else None
                setter = found if isinstance(found, Code) else None
                member = class_attribute(t, cls, name) if isinstance(cls, Class) else None
                described = _descriptors(t, member, "__set__")
                if described is not None:
                    return t.call_now(described, [owner, value])
            if setter is not None:
                t.context.call(Method(owner, setter), [value])
                return NONE
            note_reset(t, (address, name), value)
            t.store.set((address, name), value)
        case Tensor() if name == "shape":
            reshaped = t.context.call_method(owner, "reshape", [value]) if t.place is not None else None
            t.refine(owner, owner.with_shape(reshaped.shape if isinstance(reshaped, Tensor) else UNRANKED))
        case Code(key=key):
            t.store.set((-1 - key, name), value)
        case Library(name=path):
            t.store.set((0, f"{path}.{name}"), value)
    return NONE
