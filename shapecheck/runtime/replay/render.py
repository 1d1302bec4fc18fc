"""Values as a replay writes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

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
    Partial,
    Range,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
)
from shapecheck.models.lang.packs import replays_of
from shapecheck.runtime.replay.program import Program, Unrenderable, is_name
from shapecheck.runtime.replay.sizes import Numbers
from shapecheck.shapes.size import Size, is_open

LONGEST_SEQUENCE = 64
_BUILTIN = frozenset({"bool", "complex", "float", "int", "object", "str"})
_SAMPLES = {"float": "1.0", "number": "1.0", "bool": "True"}
_DTYPES = frozenset({
    "bfloat16", "bool", "complex64", "complex128", "float16", "float32", "float64", "int8", "int16", "int32", "int64",
    "uint8", "uint16", "uint32", "uint64",
})  # fmt: skip
_DEFAULT_DTYPE = {"tf": "float32", "np": "float64", "keras": "float32"}

Named = Callable[[Tensor], str]


class Values:
    """Writes values; tensors and objects are variables, which `tensor` and `owner` name."""

    def __init__(
        self, program: Program, numbers: Numbers, tensor: Named, owner: Callable[[Ref], str], guards: Guard = ()
    ) -> None:
        self._program = program
        self._numbers = numbers
        self._tensor = tensor
        self._owner = owner
        self._guards = guards
        self.has_guessed = False

    def text(self, value: Value) -> str:
        """Return the expression for a value; raises Unrenderable."""
        match value:
            case Const(value=constant):
                return _constant(constant)
            case Int(size=size):
                return str(self._numbers.of(size))
            case Scalar(kind=kind):
                self.has_guessed = True
                return _sample(kind)
            case Tensor():
                return self._tensor(value)
            case Ref(cls=cls):
                if cls == "user":
                    raise Unrenderable("uses an object of one of the program's classes")
                return self._owner(value)
            case Library(name=name):
                return self._name(name)
            case BoundLibraryMethod(owner=Library(name=owner), name=name):
                return self._name(f"{owner}.{name}")
            case Choice(options=options) if options:
                return self.text(self._chosen(options))
            case Function() | Method() | Partial() | Class():
                raise Unrenderable("uses one of the program's functions or classes")
            case Lost(reason=reason):
                raise Unrenderable(f"uses an unknown value ({reason})")
        return self._collection(value)

    def _chosen(self, options: tuple[tuple[Guard, Value], ...]) -> Value:
        """Return the alternative that the path allows, the first if there are several."""
        ruled_out = {(condition, not truth) for condition, truth in self._guards}
        allowed = [value for guard, value in options if ruled_out.isdisjoint(guard)] or [options[0][1]]
        self.has_guessed |= len(allowed) > 1
        return allowed[0]

    def _collection(self, value: Value) -> str:
        match value:
            case Seq(kind=kind, items=items):
                return _bracketed(kind, [self.text(item) for item in _short(items)])
            case HomogeneousSeq(element=element, length=length):
                return f"[{self.text(element)}] * {self._numbers.of_axis(length)}"
            case Dict(items=items, rest=None):
                return "{" + ", ".join(f"{self.text(key)}: {self.text(item)}" for key, item in items) + "}"
            case Range(start=start, stop=stop, step=step):
                return f"range({', '.join(str(self._numbers.of(size)) for size in (start, stop, step))})"
            case SliceValue(lower=lower, upper=upper, step=step):
                return f"slice({self.text(lower)}, {self.text(upper)}, {self.text(step)})"
        raise Unrenderable("uses a value that cannot be written as code")

    def index(self, value: Value) -> str:
        """Return the expression between the brackets of a subscript."""
        if isinstance(value, Seq) and value.kind == "tuple" and value.items:
            return ", ".join(map(self._index_item, value.items)) + ("," if len(value.items) == 1 else "")
        return self._index_item(value)

    def _index_item(self, value: Value) -> str:
        if not isinstance(value, SliceValue):
            return self.text(value)
        lower, upper, step = ("" if part == Const(None) else self.text(part) for part in _slice_parts(value))
        return f"{lower}:{upper}:{step}" if step else f"{lower}:{upper}"

    def source(self, tensor: Tensor, batch: bool = True) -> str:
        """Return the expression that generates a tensor; without `batch` the rows of a Keras input are open."""
        if tensor.role in ("sparse", "ragged", "matrix"):
            raise Unrenderable(f"uses a {tensor.role} tensor")
        if tensor.content is not None and tensor.library != "keras":
            text = self._content(tensor)
            if text is not None:
                return text
        sizes = [self._numbers.of_axis(size) for size in self._sizes(tensor)]
        if tensor.library == "keras":
            return self._keras_input(tensor, sizes, batch)
        replays = replays_of(tensor.library)
        if tensor.library == "np" or replays is not None:
            make = "np.zeros" if replays is None else replays.zeros
            return f"{self._name(make)}({_bracketed('tuple', map(str, sizes))}{self._dtype(tensor)})"
        if self._program.dialect.any_backend and tensor.role != "variable":
            return f"{self._name('keras.ops.zeros')}({sizes}{self._dtype(tensor, text=True)})"
        text = f"{self._name('tf.zeros')}({sizes}{self._dtype(tensor)})"
        return f"{self._name('tf.Variable')}({text}{self._open_shape(tensor)})" if tensor.role == "variable" else text

    def _open_shape(self, tensor: Tensor) -> str:
        """Return the shape of a variable as an argument, if it was declared with open sizes."""
        if not any(map(is_open, tensor.shape.known)):
            return ""
        sizes = [None if is_open(size) else self._numbers.of_axis(size) for size in tensor.shape.known]
        return f", shape={sizes}"

    def placeholder(self, tensor: Tensor) -> str:
        """Return the placeholder for a tensor, with None for sizes that its declaration leaves open."""
        sizes = [self._numbers.of_axis(size) if isinstance(size, int) else None for size in self._sizes(tensor)]
        dtype = self._dtype(tensor, default=None) or f", dtype={self._name('tf.float32')}"
        return f"{self._name('tf.placeholder')}(shape={sizes}{dtype})"

    def _sizes(self, tensor: Tensor) -> tuple[Size, ...]:
        shape = tensor.shape
        if not shape.is_ranked and not shape.known:
            raise Unrenderable("uses a tensor of unknown shape")
        self.has_guessed |= not shape.is_ranked
        return shape.known

    def _keras_input(self, tensor: Tensor, sizes: list[int], batch: bool) -> str:
        make = self._name("keras.Input")
        dtype = self._dtype(tensor, text=True)
        if sizes and not batch and not isinstance(tensor.shape.known[0], int):
            return f"{make}(shape={_bracketed('tuple', map(str, sizes[1:]))}{dtype})"
        return f"{make}(batch_shape={_bracketed('tuple', map(str, sizes))}{dtype})"

    def _content(self, tensor: Tensor) -> str | None:
        """Return a tensor with its known contents."""
        assert tensor.content is not None
        try:
            text = self.text(tensor.content)
        except Unrenderable:
            return None
        replays = replays_of(tensor.library)
        make = replays.written if replays is not None else "np.array" if tensor.library == "np" else "tf.constant"
        dtype = self._dtype(tensor, default=None)
        made = f"{self._name(make)}({text}{dtype})"
        return f"{self._name('tf.Variable')}({made})" if tensor.role == "variable" else made

    def _dtype(self, tensor: Tensor, text: bool = False, default: str | None = "") -> str:
        """Return the dtype as a last argument; empty if it is the default or unknown."""
        dtype = tensor.dtype
        if dtype is None or dtype == (_DEFAULT_DTYPE.get(tensor.library, "float32") if default == "" else default):
            return ""
        if text:
            return f', dtype="{dtype}"' if dtype in _DTYPES else ""
        if dtype in ("string", "str"):
            return ", dtype=str" if tensor.library == "np" else f", dtype={self._name('tf.string')}"
        if dtype not in _DTYPES or (tensor.library == "np" and dtype == "bfloat16"):
            return ""
        if tensor.library == "np" and dtype == "bool":
            return ", dtype=bool"
        replays = replays_of(tensor.library)
        root = tensor.library if replays is None else replays.dtypes
        return f", dtype={self._name(f'{root}.{dtype}')}"

    def _name(self, name: str) -> str:
        bare = name.removeprefix("builtins.")
        return bare if bare in _BUILTIN else self._program.library(name)


def _slice_parts(value: SliceValue) -> tuple[Value, Value, Value]:
    return value.lower, value.upper, value.step


def _sample(kind: str) -> str:
    if kind not in _SAMPLES:
        raise Unrenderable(f"uses a value of unknown kind {kind}")
    return _SAMPLES[kind]


def _short(items: tuple[Value, ...]) -> tuple[Value, ...]:
    if len(items) > LONGEST_SEQUENCE:
        raise Unrenderable("uses a long sequence")
    return items


def _constant(value: object) -> str:
    if value is Ellipsis:
        return "..."
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    text = repr(value)
    return f'"{text[1:-1]}"' if isinstance(value, str) and text.startswith("'") and '"' not in text else text


def _bracketed(kind: str, items: Iterable[str]) -> str:
    texts = list(items)
    if kind == "tuple":
        return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
    if kind == "set":
        return f"{{{', '.join(texts)}}}" if texts else "set()"
    return f"[{', '.join(texts)}]"


def keyword_text(name: str, text: str) -> str:
    """Return one keyword argument."""
    if not is_name(name):
        raise Unrenderable(f"passes an argument named {name!r}")
    return f"{name}={text}"
