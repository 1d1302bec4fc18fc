"""Builtin functions about types, attributes and calls."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING

from shapecheck.dataflow import objects
from shapecheck.dataflow.builtins.registry import Args, Named, builtin
from shapecheck.dataflow.frame import PathEnds
from shapecheck.models.lang.arrays import makes_arrays
from shapecheck.shapes import dtype
from shapecheck.source import Place
from shapecheck.values import (
    FALSE,
    NONE,
    TRUE,
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
    Method,
    ModuleValue,
    Partial,
    Range,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_str,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("callable")
def callable_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    match args:
        case [Code() | Method() | Bound() | Library() | Class() | Partial()]:
            return TRUE
        case [Const() | Int() | Scalar() | Seq() | Tensor()]:
            return FALSE
    return Scalar("bool")


@builtin("isinstance")
def isinstance_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) != 2:
        return Scalar("bool")
    classes = t.context.elements(args[1]) if isinstance(args[1], Seq) else (args[1],)
    verdicts = [is_instance(t, args[0], cls) for cls in classes or ()]
    if True in verdicts:
        return TRUE
    if verdicts and None not in verdicts:
        return FALSE
    from shapecheck.dataflow.conditions import condition

    answer = condition(t, "isinstance", args[0], args[1])
    if isinstance(args[0], Tensor):
        t.asked[answer] = (args[0],)
    elif not isinstance(args[0], (Lost, Choice)):
        t.of_classes.add(answer)
    return answer


PYTHON_TYPES: dict[str, tuple[str, ...]] = {
    "int": ("int", "bool"),
    "float": ("float",),
    "str": ("str",),
    "bool": ("bool",),
    "bytes": ("bytes",),
    "complex": ("complex",),
}


def is_instance(t: Tracer, value: Value, cls: Value) -> bool | None:
    """`isinstance(value, cls)`; None if unknown."""
    if isinstance(value, (Lost, Choice)):
        return None
    if isinstance(cls, Library) and cls.name.startswith("builtins."):
        return _is_builtin(t, value, cls.name[9:])
    if isinstance(cls, Library) and cls.name.startswith("numbers."):
        return _is_numeric(value, cls.name[8:])
    if isinstance(value, Ref) and value.cls == "user":
        own = t.store.get((value.address, "__class__"))
        return None if own is None else objects.is_subclass(t, own, cls)
    if isinstance(value, Ref) and value.cls not in objects.CONTAINERS and isinstance(cls, Library):
        return objects.is_subclass(t, Library(value.cls), cls)
    if isinstance(value, Tensor):
        own = Library(objects.tensor_class(value))
        if value.shape.rank == 0 and _may_be_number(t, value):
            return False if cls == own else None
        return objects.is_subclass(t, own, cls) or (False if isinstance(cls, Class) else None)
    if isinstance(cls, Class) and isinstance(value, (Const, Int, Seq, Many, Ref)):
        return False
    of_python = isinstance(value, (Const, Int, Scalar)) or _python_type(value) in objects.CONTAINERS
    if of_python and isinstance(cls, Library):
        return None if "." not in cls.name or cls.name.split(".")[0] not in ("tf", "np", "keras") else False
    return None


def _is_numeric(value: Value, name: str) -> bool | None:
    """Whether a value is of one of Python's classes of numbers; what NumPy makes without axes is a number."""
    kind, wanted = _python_type(value), getattr(numbers, name, None)
    if isinstance(value, Tensor) and (value.library != "np" or value.shape.head):
        return False
    if isinstance(value, Tensor) and value.shape.rank == 0:
        plain = value.dtype or ""
        kind = dtype.kind(plain) if dtype.canonical(plain) == plain else None
    example = _EXAMPLES.get(kind or "")
    return None if example is None or not isinstance(wanted, type) else isinstance(example, wanted)


_EXAMPLES: dict[str, object] = {"int": 1, "bool": True, "float": 1.0, "complex": 1j, "str": "", "list": [], "tuple": ()}


def _may_be_number(t: Tracer, value: Tensor) -> bool:
    """Whether an array of NumPy may be a number: what is computed or drawn without axes is one."""
    is_array = bool(value.shape.head) or (value.step > 0 and makes_arrays(t.graph[value.step].name))
    return value.library == "np" and not is_array


def _is_builtin(t: Tracer, value: Value, name: str) -> bool | None:
    actual = _python_type(value)
    if actual is None:
        return None
    if isinstance(value, Tensor) and name in PYTHON_TYPES and _may_be_number(t, value):
        return None  # what NumPy draws or adds up may be a number of Python
    if actual == "number":
        return None if name in ("int", "float", "bool", "complex") else False
    return actual in PYTHON_TYPES.get(name, (name,)) or name == "object"


def _python_type(value: Value) -> str | None:
    match value:
        case Const(value=constant):
            return type(constant).__name__
        case Int():
            return "int"
        case Scalar(kind=kind):
            return kind
        case Seq(kind="list" | "tuple" | "set" as kind):
            return kind
        case Many(kind=kind):
            return kind
        case Ref(cls="list" | "dict" | "set" as kind):
            return kind
        case Dict():
            return "dict"
        case Range():
            return "range"
        case Ref() | Tensor() | ModuleValue():
            return "object"
        case Code() | Method():
            return "function"
    return None


@builtin("type")
def type_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) != 1:
        return t.lost("class made at run time")
    value = args[0]
    if isinstance(value, Ref) and value.cls == "user":
        return t.store.get((value.address, "__class__")) or t.lost("type of an object")
    if isinstance(value, Ref) and value.cls not in objects.CONTAINERS:
        return Library(value.cls)
    if isinstance(value, Tensor) and value.library == "np" and value.shape.head:
        return Library(objects.tensor_class(value))
    kind = _python_type(value)
    if kind not in (None, "object", "number"):
        return Library(f"builtins.{kind}")
    unknown = t.lost("type of a value")
    if isinstance(value, Tensor):
        t.asked[unknown] = (value,)
    return unknown


@builtin("getattr")
def getattr_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    name = as_str(args[1]) if len(args) > 1 else None
    if name is None:
        return t.lost("getattr with an unknown name")
    try:
        value = objects.get_attribute(t, args[0], name, place)
    except PathEnds:
        value = t.lost("property that raises")
    if isinstance(value, Lost) and len(args) > 2:
        return t.lost("attribute that may be missing")
    return value


@builtin("setattr")
def setattr_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    name = as_str(args[1]) if len(args) == 3 else None
    if name is not None:
        objects.set_attribute(t, args[0], name, args[2])
    elif args and isinstance(args[0], Ref):
        objects.blur(t, args[0])
    return NONE


_CONTAINERS: dict[str | None, type] = {"list": list, "dict": dict, "str": str}


@builtin("hasattr")
def hasattr_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    name = as_str(args[1]) if len(args) == 2 else None
    try:
        found = objects.instance_attribute(t, args[0], name, place) if name and isinstance(args[0], Ref) else None
    except PathEnds:  # a property that raises
        found = None
    is_there = True if found is not None else _has(args[0], name) if name else None
    return Scalar("bool") if is_there is None else TRUE if is_there else FALSE


def _has(value: Value, name: str) -> bool | None:
    """Whether an array, a text or a container of Python has an attribute; None if that is not known."""
    if isinstance(value, Tensor):
        is_array = value.library != "np" or bool(value.shape.head)  # what has no axes may be a number of Python
        return True if is_array and name in ("shape", "dtype") else None
    kind = _python_type(value)
    if kind not in _CONTAINERS:
        return None
    return True if hasattr(_CONTAINERS[kind], name) else False if name in ("shape", "dtype") else None


@builtin("delattr", "breakpoint", "open", "compile", "exec", "eval", "memoryview", "bytearray", "bytes",
         "globals", "locals", "vars", "dir", "help", "exit", "quit", "__import__")  # fmt: skip
def without_shape(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return NONE if not args else t.lost("builtin without a shape")


@builtin("nothing")
def nothing(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return NONE


@builtin("print")
def print_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return NONE


@builtin("object", "property", "staticmethod", "classmethod")
def wrapper(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return args[0] if len(args) == 1 else t.lost("builtin wrapper")


@builtin("super")
def super_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return Partial(objects.SUPER, tuple(args)) if len(args) == 2 else t.lost("super")


@builtin("slice")
def slice_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    from shapecheck.values import SliceValue

    lower, upper, step = [*([NONE] if len(args) == 1 else []), *args, NONE, NONE][:3]
    return SliceValue(lower, upper, step)


@builtin("True", "False", "None", "NotImplemented", "Ellipsis")
def constant_name(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return t.lost("call of a constant")


@builtin("Exception", "BaseException", "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError",
         "RuntimeError", "NotImplementedError", "ImportError", "ModuleNotFoundError", "OSError", "IOError",
         "StopIteration", "AssertionError", "ZeroDivisionError", "ArithmeticError", "KeyboardInterrupt", "SystemExit",
         "FileNotFoundError", "NameError", "OverflowError", "Warning", "DeprecationWarning", "UserWarning",
         "EOFError", "LookupError", "UnicodeDecodeError", "FutureWarning", "RuntimeWarning", "FileExistsError",
         "PermissionError", "TimeoutError", "ConnectionError", "RecursionError", "MemoryError", "GeneratorExit",
         "BufferError", "StopAsyncIteration", "UnicodeError")  # fmt: skip
def exception(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return t.lost("exception")
