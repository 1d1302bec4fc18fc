"""Instances of classes of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.calls.function_calls import call_function
from shapecheck.dataflow.calls.inlining_policy import is_worth_inlining
from shapecheck.dataflow.havoc.havoc import Havoc
from shapecheck.dataflow.objects.array_classes import ARRAYS, is_class_of_arrays
from shapecheck.dataflow.objects.container_classes import fill, new_instance
from shapecheck.dataflow.objects.declared_classes import FIELDS, bind_fields, convert_fields, member_of_value, members
from shapecheck.dataflow.objects.library_methods import find_method, run_method
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.instantiated import Instantiated
from shapecheck.domain.values import Choice, Class, Function, Lost, Ref, Seq, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def instantiate(t: Tracer, cls: Class, given: Arguments) -> Value:
    """Return a new instance of a class of the program."""
    if not t.is_standalone:
        t.component(Instantiated).addresses.add(cls.address)
    enum_members = members(t, cls)
    if enum_members is not None:
        return member_of_value(t, enum_members, given.args[0]) if given.args else t.lost("member of an enumeration")
    if is_class_of_arrays(t, cls):
        return _array(t, cls, given)
    maker = class_attribute(t, cls, "__new__")
    made = call_function(t, maker, given.after([cls])) if isinstance(maker, Function) else None
    if made is not None and not isinstance(made, (Lost, Choice)) and not _is_instance(t, made, cls):
        return made
    ref = made if isinstance(made, Ref) else new_instance(t, cls)
    constructor = _constructor(t, cls)
    _construct(t, ref, cls, constructor, given)
    post_init = class_attribute(t, cls, "__post_init__") or class_attribute(t, cls, "__attrs_post_init__")
    if isinstance(post_init, Function) and is_worth_inlining(t, given.values):
        call_function(t, post_init, Arguments(given.place, [ref]))
    elif isinstance(post_init, Function):
        t.component(Havoc).havoc_call(t, post_init, [ref])
    elif isinstance(constructor, Seq):
        run_method(t, ref, "__post_init__", [])
    else:
        convert_fields(t, ref, cls)
    return ref


def _construct(t: Tracer, ref: Ref, cls: Class, constructor: Value | None, given: Arguments) -> None:
    """Run the constructor of a new instance, or fill the fields of a data class."""
    held = t.container(ref)
    if isinstance(constructor, Function):
        call_function(t, constructor, given.after([ref]))
    elif isinstance(constructor, Seq):
        bind_fields(t, ref, cls, constructor, given)
    elif held is not None:
        fill(t, held, given)
    else:
        model, label = find_method(t, ref, "__init__")
        if model is not None and given.is_complete:
            t.run_model(model, label, given.after([ref]))
        elif model is None:
            _forget_fields(t, ref, cls, given)


def _forget_fields(t: Tracer, ref: Ref, cls: Class, given: Arguments) -> None:
    """Forget the attributes of the class that the constructor of a base which is not known is told by name."""
    for name in dict(given.keywords):
        default = class_attribute(t, cls, name)
        if default is not None and not isinstance(default, Function):
            t.heap.set((ref.address, name), t.lost("a field of an unknown base"))


def _is_instance(t: Tracer, value: Value, cls: Class) -> bool:
    return isinstance(value, Ref) and t.heap.get((value.address, "__class__")) == cls


def _array(t: Tracer, cls: Class, given: Arguments) -> Value:
    """Return a new instance of a class derived from NumPy's arrays: the result of `__new__`."""
    maker, constructor = class_attribute(t, cls, "__new__"), None
    if isinstance(maker, Function):
        constructor = call_function(t, maker, given.after([cls]))
    elif maker is None and given.is_complete:
        array = t.call(ARRAYS, given)
        constructor = run_method(t, array, "view", [cls]) if isinstance(array, Tensor) else None
    if constructor is None or not _is_instance(t, constructor, cls):
        return t.lost("instance of a class of arrays") if constructor is None else constructor
    starter = class_attribute(t, cls, "__init__")
    if isinstance(starter, Function):
        call_function(t, starter, given.after([constructor]))
    return constructor


def _constructor(t: Tracer, cls: Class) -> Value | None:
    """Return the nearest `__init__`, or the fields of a data class; None if there is none."""
    for base in mro(t, cls):
        if isinstance(base, Lost):
            return None
        if isinstance(base, Class):
            own = t.heap.get((base.address, "__init__")) or t.heap.get((base.address, FIELDS))
            if own is not None:
                return own
    return None
