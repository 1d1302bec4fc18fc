"""Builtin functions about types, attributes and calls."""

from __future__ import annotations

import numbers
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.abstract_types import abstract_class, is_of_abstract_class
from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.objects.absent import is_absent
from shapecheck.dataflow.objects.array_classes import ARRAYS
from shapecheck.dataflow.objects.attributes import (
    MADE,
    OF_CLASS,
    PROPERTY,
    STATIC,
    SUPER,
    as_member,
    get_attribute,
    instance_attribute,
    methods,
    set_attribute,
    special_method,
)
from shapecheck.dataflow.objects.container_classes import new_instance
from shapecheck.dataflow.objects.library_methods import find_method, run_method, tensor_class
from shapecheck.dataflow.objects.modules import ensure_executed, imported
from shapecheck.dataflow.objects.mro import is_subclass
from shapecheck.dataflow.paths.conditions import condition
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.attribute_dict import havoc_attributes
from shapecheck.dataflow.state.opaque_inputs import OpaqueInputs
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import (
    CONTAINERS,
    FALSE,
    NONE,
    TRUE,
    BoundLibraryMethod,
    Choice,
    Class,
    Const,
    Dict,
    Function,
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
    as_str,
)
from shapecheck.models.lang.array_results import makes_arrays
from shapecheck.models.lang.registry import lookup
from shapecheck.shapes import dtype

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("callable")
def callable_(t: Tracer, call: Arguments) -> Value:
    match call.args:
        case [Function() | Method() | BoundLibraryMethod() | Library() | Class() | Partial()]:
            return TRUE
        case [Const() | Int() | Scalar() | Seq() | Dict() | HomogeneousSeq() | Range() | Tensor()]:
            return FALSE
        case [Ref(cls=cls)] if cls in CONTAINERS:
            return FALSE
        case [Ref() as owner] if special_method(t, owner, "__call__") is not None:
            return TRUE
        case [Lost() as unknown]:
            return condition(t, "callable", unknown, NONE)
    return Scalar("bool")


@builtin("isinstance")
def isinstance_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 2:
        return Scalar("bool")
    classes = iteration.elements(t, call.args[1]) if isinstance(call.args[1], Seq) else (call.args[1],)
    verdicts = [is_instance(t, call.args[0], cls) for cls in classes or ()]
    if True in verdicts:
        return TRUE
    if verdicts and None not in verdicts:
        return FALSE

    answer = condition(t, "isinstance", call.args[0], call.args[1])
    if isinstance(call.args[0], Tensor):
        t.component(OpaqueInputs).note(answer, call.args[:1])
    if not isinstance(call.args[0], Choice) and (_is_called(t) or not isinstance(call.args[0], (Lost, Tensor))):
        t.component(Feasibility).unknown_class_tests.add(answer)
    return answer


@builtin("issubclass")
def issubclass_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 2:
        return Scalar("bool")
    cls, of = call.args
    classes = iteration.elements(t, of) if isinstance(of, Seq) else (of,)
    verdicts = [is_subclass(t, cls, each) for each in classes or ()]
    if True in verdicts:
        return TRUE
    is_known = verdicts and None not in verdicts and all(isinstance(each, Class) for each in (cls, *(classes or ())))
    return FALSE if is_known else t.lost("issubclass")


def _is_called(t: Tracer) -> bool:
    """Return whether the program knows the classes of all values here, unless a caller that is not known gave them."""
    return not t.is_standalone or len(t.call_stack.frames) > 1


PYTHON_TYPES: dict[str, tuple[str, ...]] = {
    "int": ("int", "bool"),
    "float": ("float",),
    "str": ("str",),
    "bool": ("bool",),
    "bytes": ("bytes",),
    "complex": ("complex",),
}


CLASSES_OF_NUMBERS = {
    "tf.compat.integral_types": "Integral",
    "tf.compat.real_types": "Real",
    "tf.compat.complex_types": "Complex",
}
"""Tuples of classes that TensorFlow tests numbers with, by the abstract class of these."""


def is_instance(t: Tracer, value: Value, cls: Value) -> bool | None:
    """Return `isinstance(value, cls)`, or None if unknown."""
    if isinstance(value, (Lost, Choice)):
        return None
    if _derives(t, value, cls):
        return True
    of_python = _test(cls.name) if isinstance(cls, Library) else None
    if of_python is not None:
        return of_python(t, value)
    if isinstance(value, Ref) and value.cls == "user":
        own = t.heap.get((value.address, "__class__"))
        return None if own is None else is_subclass(t, own, cls)
    if isinstance(value, Ref) and value.cls not in CONTAINERS and isinstance(cls, Library):
        is_made_up = lookup(value.cls) is None and value.cls.rpartition(".")[0] == cls.name.rpartition(".")[0]
        verdict = is_subclass(t, Library(value.cls), cls)
        return None if verdict is False and is_made_up else verdict
    if isinstance(value, Tensor):
        own = Library(tensor_class(value))
        if value.shape.rank == 0 and _may_be_number(t, value):
            return False if cls == own else None
        return is_subclass(t, own, cls) or (False if isinstance(cls, Class) else None)
    if isinstance(cls, Class) and isinstance(value, (Const, Int, Seq, HomogeneousSeq, Ref)):
        return False
    is_plain = isinstance(value, (Const, Int, Scalar)) or _python_type(value) in CONTAINERS
    if is_plain and isinstance(cls, Library):
        return None if "." not in cls.name or cls.name.split(".")[0] not in ("tf", "np", "keras") else False
    return None


def _test(name: str) -> Callable[[Tracer, Value], bool | None] | None:
    """Return the test for instances of a class of Python's standard library, or None."""
    abstract = abstract_class(name)
    if abstract is not None:
        return lambda t, value: is_of_abstract_class(t, value, abstract, _python_type(value))
    if name.startswith("builtins."):
        return lambda t, value: _is_builtin(t, value, name[9:])
    of_number = name[8:] if name.startswith("numbers.") else CLASSES_OF_NUMBERS.get(name)
    return None if of_number is None else lambda t, value: _is_numeric(value, of_number)


def _derives(t: Tracer, value: Value, cls: Value) -> bool:
    """Return whether the class of an object certainly derives from a class."""
    if not isinstance(value, Ref) or value.cls in CONTAINERS:
        return False
    return is_subclass(t, t.heap.get((value.address, "__class__")) or Library(value.cls), cls) is True


def _is_numeric(value: Value, name: str) -> bool | None:
    """Return whether a value is of an abstract number class; a NumPy result without axes is a number."""
    kind, wanted = _python_type(value), getattr(numbers, name, None)
    if isinstance(value, Tensor) and (value.library != "np" or value.shape.head):
        return False
    if isinstance(value, Tensor) and value.shape.rank == 0:
        plain = value.dtype or ""
        kind = dtype.kind(plain) if dtype.canonical(plain) == plain else None
    example = _EXAMPLE_VALUES.get(kind or "")
    return None if example is None or not isinstance(wanted, type) else isinstance(example, wanted)


_EXAMPLE_VALUES: dict[str, object] = {
    "int": 1,
    "bool": True,
    "float": 1.0,
    "complex": 1j,
    "str": "",
    "list": [],
    "tuple": (),
}


def _may_be_number(t: Tracer, value: Tensor) -> bool:
    """Return whether an array of NumPy may be a number, as results and samples without axes are."""
    is_array = bool(value.shape.head) or (value.step > 0 and makes_arrays(t.graph[value.step].name))
    return value.library == "np" and not is_array


def _is_builtin(t: Tracer, value: Value, name: str) -> bool | None:
    """Return whether a value is of a builtin type, or None if unknown."""
    actual = _python_type(value)
    if actual is None:
        return None
    if isinstance(value, Tensor) and name in PYTHON_TYPES and _may_be_number(t, value):
        return _is_number(value, name)
    if actual == "number":
        return None if name in ("int", "float", "bool", "complex") else False
    return actual in PYTHON_TYPES.get(name, (name,)) or name == "object"


def _is_number(value: Tensor, name: str) -> bool | None:
    """Return whether a sample or a sum of NumPy is a number of Python, as those of the widest types are; a sample of
    integers may be.
    """
    own = {"float64": "float", "complex128": "complex"}.get(value.dtype or "") if value.shape.rank == 0 else None
    return None if own is None else own == name


def _python_type(value: Value) -> str | None:
    """Return the name of the Python type of a value, or None if unknown."""
    match value:
        case Const(value=constant):
            return type(constant).__name__
        case Int():
            return "int"
        case Scalar(kind=kind):
            return kind
        case Seq(kind="list" | "tuple" | "set" as kind):
            return kind
        case HomogeneousSeq(kind=kind):
            return kind
        case Ref(cls="list" | "dict" | "set" as kind):
            return kind
        case Dict():
            return "dict"
        case Range():
            return "range"
        case Ref() | Tensor() | ModuleValue():
            return "object"
        case Function() | Method():
            return "function"
        case SliceValue():
            return "slice"
    return None


@builtin("type")
def type_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 1:
        return t.lost("class made at run time")
    value = call.args[0]
    if isinstance(value, Ref) and value.cls == "user":
        return t.heap.get((value.address, "__class__")) or t.lost("type of an object")
    if isinstance(value, Ref) and value.cls not in CONTAINERS:
        return Library(value.cls)
    if isinstance(value, Tensor) and value.library == "np" and value.shape.head:
        return Library(tensor_class(value))
    kind = _python_type(value)
    if kind not in (None, "object", "number"):
        return Library(f"builtins.{kind}")
    unknown = t.lost("type of a value")
    if isinstance(value, Tensor):
        t.component(OpaqueInputs).note(unknown, [value])
    return unknown


@builtin("getattr")
def getattr_(t: Tracer, call: Arguments) -> Value:
    name = as_str(call.args[1]) if len(call.args) > 1 else None
    if name is None:
        return _attribute_of_unknown_name(t, call.args[0])
    try:
        value = get_attribute(t, call.args[0], name, call.place)
    except PathEnds:
        value = t.lost("property that raises")
    owner = call.args[0]
    is_missing = isinstance(value, BoundLibraryMethod) and isinstance(owner, Tensor)
    if len(call.args) > 2 and isinstance(value, Lost) and isinstance(owner, Ref) and is_absent(t, owner, name):
        return call.args[2]
    if len(call.args) > 2 and (isinstance(value, Lost) or (is_missing and find_method(t, owner, name)[0] is None)):
        return t.lost("getattr with a default")
    return value


def _attribute_of_unknown_name(t: Tracer, owner: Value) -> Value:
    """Return an attribute of an unknown name, which may be any method of an object."""
    found = t.lost("getattr with an unknown name")
    if isinstance(owner, Ref) and owner.cls == "user":
        t.component(Aliases).any_method[found] = tuple(methods(t, owner))
    return found


@builtin("setattr")
def setattr_(t: Tracer, call: Arguments) -> Value:
    name = as_str(call.args[1]) if len(call.args) == 3 else None
    if name is not None:
        set_attribute(t, call.args[0], name, call.args[2])
    if len(call.args) == 3 and isinstance(call.args[0], Lost) and isinstance(call.args[2], (Function, Method)):
        t.call(call.args[0], Arguments(call.place, [call.args[2]]))  # an unknown object may call what it is given
    if name is None and call.args and isinstance(call.args[0], Ref):
        havoc_attributes(t.heap, call.args[0])
    if name is None and call.args and isinstance(call.args[0], (Class, ModuleValue)):
        _replace_functions(t, call.args[0])
    return NONE


def _replace_functions(t: Tracer, owner: Class | ModuleValue) -> None:
    """Forget the functions of a class or module, of which any may have been replaced."""
    if isinstance(owner, ModuleValue):
        ensure_executed(t, owner.address)
    for name, value in list(t.heap.at(owner.address)):
        if isinstance(imported(t, (owner.address, name), value), Function):
            t.heap.set((owner.address, name), t.lost("function that may have been replaced"))


_OF_KINDS: dict[str | None, tuple[object, ...]] = {
    "list": ([], deque()),
    "dict": ({}, OrderedDict(), defaultdict(), Counter()),
    "set": (set(), frozenset()),
    "tuple": ((),),
    "str": ("",),
}
"""Examples of the values of each kind."""
NUMBERS = ("int", "float", "bool", "complex", "number")
OF_NO_NUMBER = ("__iter__", "__len__", "append", "keys", "items", "split")


@builtin("hasattr")
def hasattr_(t: Tracer, call: Arguments) -> Value:
    name = as_str(call.args[1]) if len(call.args) == 2 else None
    try:
        found = (
            instance_attribute(t, call.args[0], name, call.place) if name and isinstance(call.args[0], Ref) else None
        )
    except PathEnds:  # a property that raises
        found = None
    if isinstance(found, Lost) and found.reason == MADE:
        found = name = None
    exists = True if found is not None else _builtin_has_attribute(call.args[0], name) if name else None
    if exists is not None:
        return TRUE if exists else FALSE
    if name and isinstance(call.args[0], Ref) and is_absent(t, call.args[0], name):
        return FALSE
    if len(call.args) != 2 or isinstance(call.args[0], Ref):
        unknown = t.lost("whether an object has an attribute")  # it may get the attribute before the next test
        t.component(Feasibility).unknown_class_tests.add(unknown)
        return unknown
    answer = condition(t, "hasattr", call.args[0], call.args[1])
    if isinstance(call.args[0], Tensor):
        t.component(OpaqueInputs).note(answer, call.args[:1])
    elif name and _python_type(call.args[0]) in _OF_KINDS:
        t.component(Feasibility).unknown_class_tests.add(answer)  # its class may be derived from the builtin one
    return answer


def _builtin_has_attribute(value: Value, name: str) -> bool | None:
    """Return whether an array, a number, a string, a builtin container or a module of Python has an attribute, or None
    if unknown."""
    if isinstance(value, Library) and value.name.split(".")[0] in sys.stdlib_module_names:
        return True if lookup(f"{value.name}.{name}") is not None else None
    if isinstance(value, Tensor):
        is_array = value.library != "np" or bool(value.shape.head)  # without axes it may be a Python number
        return True if is_array and name in ("shape", "dtype") else None
    kind = _python_type(value)
    if kind in NUMBERS:
        return False if name in OF_NO_NUMBER else None  # NumPy's have more attributes than Python's
    said = {hasattr(example, name) for example in _OF_KINDS.get(kind, ())}
    if said == {False} and not (name in ("shape", "dtype") or name.startswith("__")):
        return None
    return said.pop() if len(said) == 1 else None


@builtin("open")
def open_file(t: Tracer, call: Arguments) -> Value:
    """Return a file whose values are known, if it lies beside the program and is only read."""
    name, mode = (*call.args, NONE, NONE)[:2]
    mode = call.keywords.get("mode", mode)
    told = t.program.facts_of(name.value) if isinstance(name, Const) and isinstance(name.value, str) else None
    if told is None or "value" not in told or mode not in (NONE, Const("r"), Const("rb"), Const("rt")):
        return t.lost("a file")
    return t.new_object("io.TextIOWrapper", name=name)


@builtin("vars")
def vars_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 1 or not isinstance(call.args[0], Ref):
        return t.lost("variables of anything but an object")
    return get_attribute(t, call.args[0], "__dict__", call.place)


@builtin("breakpoint", "compile", "exec", "eval", "memoryview", "bytearray", "bytes",
         "globals", "locals", "dir", "help", "exit", "quit", "__import__")  # fmt: skip
def unknown_builtin(t: Tracer, call: Arguments) -> Value:
    """Return an unknown value: the result has nothing to do with shapes."""
    return t.lost("builtin that is not modelled")


@builtin("object.__setattr__")
def set_plainly(t: Tracer, call: Arguments) -> Value:
    owner, name, value = (*call.args, NONE, NONE, NONE)[:3]
    named = as_str(name)
    if isinstance(owner, Ref) and named is not None:
        set_attribute(t, owner, named, value, plainly=True)
    elif isinstance(owner, Ref):
        havoc_attributes(t.heap, owner)
    return NONE


@builtin("object.__getattribute__")
def get_plainly(t: Tracer, call: Arguments) -> Value:
    owner, name = (*call.args, NONE, NONE)[:2]
    named = as_str(name)
    found = instance_attribute(t, owner, named, call.place) if isinstance(owner, Ref) and named else None
    return t.lost("attribute that is looked for") if found is None else found


@builtin("delattr")
def delattr_(t: Tracer, call: Arguments) -> Value:
    owner, name = (*call.args, NONE, NONE)[:2]
    named = as_str(name)
    if isinstance(owner, Ref) and named is not None:
        t.heap.delete((owner.address, named))
    elif isinstance(owner, Ref):
        havoc_attributes(t.heap, owner)
    return NONE


@builtin("object.__new__")
def new_object(t: Tracer, call: Arguments) -> Value:
    """Return an instance without attributes."""
    cls = call.args[0] if call.args else None
    return new_instance(t, cls) if isinstance(cls, Class) else t.lost("instance of a lost class")


@builtin("np.ndarray.__new__")
def new_array(t: Tracer, call: Arguments) -> Value:
    """Return an instance of a class derived from arrays, as a view of a new array."""
    cls, *others = call.args or (None,)
    array = t.call_here(ARRAYS, others, call.keywords) if isinstance(cls, Class) else None
    made = run_method(t, array, "view", [cls]) if isinstance(array, Tensor) and cls is not None else None
    return t.lost("instance of a class of arrays") if made is None else made


@builtin("nothing")
def nothing(t: Tracer, call: Arguments) -> Value:
    """Return None, as a method of `object` does."""
    return NONE


@builtin("print")
def print_(t: Tracer, call: Arguments) -> Value:
    return NONE


@builtin("object")
def object_(t: Tracer, call: Arguments) -> Value:
    return call.args[0] if len(call.args) == 1 else t.lost("unsupported call of a builtin class")


@builtin("property")
def property_(t: Tracer, call: Arguments) -> Value:
    getter = call.args[0] if call.args else call.keywords.get("fget")
    return t.lost("property without a getter") if getter is None else as_member(t, PROPERTY, getter)


@builtin("staticmethod")
def staticmethod_(t: Tracer, call: Arguments) -> Value:
    return as_member(t, STATIC, call.args[0]) if call.args else t.lost("unsupported call of a builtin class")


@builtin("classmethod")
def classmethod_(t: Tracer, call: Arguments) -> Value:
    return as_member(t, OF_CLASS, call.args[0]) if call.args else t.lost("unsupported call of a builtin class")


@builtin("super")
def super_(t: Tracer, call: Arguments) -> Value:
    return Partial(SUPER, tuple(call.args)) if len(call.args) == 2 else t.lost("super with unsupported arguments")


@builtin("slice")
def slice_(t: Tracer, call: Arguments) -> Value:
    """Return a slice with these bounds."""
    if not 1 <= len(call.args) <= 3:
        return t.lost("unsupported arguments of slice")
    lower, upper, step = [*([NONE] if len(call.args) == 1 else []), *call.args, NONE, NONE][:3]
    return SliceValue(lower, upper, step)


@builtin("True", "False", "None", "NotImplemented", "Ellipsis")
def constant_name(t: Tracer, call: Arguments) -> Value:
    """Return a lost value: a constant cannot be called."""
    return t.lost("call of a constant")


@builtin("Exception", "BaseException", "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError",
         "RuntimeError", "NotImplementedError", "ImportError", "ModuleNotFoundError", "OSError", "IOError",
         "StopIteration", "AssertionError", "ZeroDivisionError", "ArithmeticError", "KeyboardInterrupt", "SystemExit",
         "FileNotFoundError", "NameError", "OverflowError", "Warning", "DeprecationWarning", "UserWarning",
         "EOFError", "LookupError", "UnicodeDecodeError", "FutureWarning", "RuntimeWarning", "FileExistsError",
         "PermissionError", "TimeoutError", "ConnectionError", "RecursionError", "MemoryError", "GeneratorExit",
         "BufferError", "StopAsyncIteration", "UnicodeError")  # fmt: skip
def exception(t: Tracer, call: Arguments) -> Value:
    """Return an exception, which is not followed."""
    return t.lost("exception")
