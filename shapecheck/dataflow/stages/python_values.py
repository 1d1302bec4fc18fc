"""Functions and methods of Python that need the value of a symbolic tensor, or a method that tensors do not have."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.array_operators import may_be_tensor
from shapecheck.dataflow.stages.checks import (
    is_symbolic,
    refuse,
    require_array,
    require_hashable,
    require_python,
    require_value,
)
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Const, Ref, Seq, Tensor, Value
from shapecheck.models.lang.traits import has
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

FUNCTIONS = frozenset(
    "random.randint random.randrange json.loads json.dumps pathlib.Path pathlib.PurePath datetime.timedelta "
    "datetime.datetime.strptime datetime.datetime.fromtimestamp time.sleep time.strftime operator.index glob.glob "
    "os.listdir os.makedirs os.remove os.stat os.walk os.path.abspath os.path.basename os.path.dirname os.path.exists "
    "os.path.expanduser os.path.getsize os.path.isdir os.path.isfile os.path.join os.path.normpath os.path.relpath "
    "os.path.split os.path.splitext base64.b64decode io.BytesIO pickle.loads re.findall re.match re.search re.split "
    "re.sub struct.unpack".split()
)
"""Functions of Python's library that refuse symbolic tensors, besides those of `math`."""
BUILTINS = frozenset("open hex oct bin chr divmod complex round ord".split())
"""Builtins that refuse symbolic tensors, whether AutoGraph converts them or not."""
TESTING = ("all", "any")
OF_ITEMS = frozenset(("max", "min", "sorted", *TESTING))
"""Builtins that need the truth value of the items that they are given, or of a comparison of them."""
TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith("_")) - {"index", "count"}
BY_KEY = ("get", "pop", "setdefault")
BY_INDEX = ("pop", "insert")
NUMERIC = "diouxXeEfFgGc"


def check_function(t: Tracer, name: str, given: Arguments) -> None:
    """Refuse symbolic tensors in functions of Python's library that need values."""
    is_function = name in FUNCTIONS or name.startswith("math.") or has(name, "reads a file of a path")
    if is_function or name.removeprefix("builtins.") in BUILTINS:
        for value in given.args:
            require_python(t, value, given.place, name.removeprefix("builtins."))
    elif has(name, "works on arrays of NumPy") and name.rpartition(".")[2].islower() and not t.stage.is_eager:
        require_array(t, given.args, given.place, name)


def check_items(t: Tracer, name: str, given: Arguments, items: tuple[Value, ...] | None) -> None:
    """Refuse symbolic tensors among the items that a builtin tests, or compares with each other."""
    if items and (name in TESTING or (len(items) > 1 and "key" not in given.keywords)):
        require_value(t, items[0], given.place, name)


def check_method(t: Tracer, owner: Value, name: str, given: Arguments) -> None:
    """Refuse methods of texts on symbolic tensors, and symbolic tensors as keys and indices of methods."""
    if isinstance(owner, Tensor):
        is_array = owner.library == "np" and not (owner.step and may_be_tensor(t.graph, t.graph[owner.step]))
        if name == "numpy" and is_array:
            said = "an array of NumPy has no numpy(), which only tensors have"
            refuse(t, ClashKind.SYMBOLIC_PYTHON, name, owner, said, given.place)
        if name in TEXT_METHODS and is_symbolic(t, owner) and not t.stage.is_array_trace:
            said = f"a symbolic tensor has no method {name}, even if it holds texts"
            refuse(t, ClashKind.SYMBOLIC_PYTHON, name, owner, said, given.place)
    elif isinstance(owner, Ref) and owner.cls == "dict" and name in BY_KEY and given.args:
        require_hashable(t, given.args[0], given.place, f"the key of {name}")
    elif isinstance(owner, Ref) and owner.cls == "list" and name in BY_INDEX and given.args:
        require_python(t, given.args[0], given.place, f"the index of {name}")
    elif isinstance(owner, Const) and isinstance(owner.value, str) and name == "format":
        _check_format(t, owner.value, given)


def _check_format(t: Tracer, text: str, given: Arguments) -> None:
    """Refuse symbolic tensors in fields of `text.format` that have a specification."""
    try:
        fields = [(name, spec) for _, name, spec, conversion in string.Formatter().parse(text) if not conversion]
    except ValueError:
        return
    automatic = 0
    for name, spec in fields:
        if name == "":
            name, automatic = str(automatic), automatic + 1
        if name is None or not spec:
            continue
        is_position = name.isdigit() and int(name) < len(given.args)
        value = given.args[int(name)] if is_position else given.keywords.get(name)
        if value is not None:
            require_python(t, value, given.place, f"the format {spec!r}")


def check_interpolation(t: Tracer, text: Value, value: Value, place: Place) -> None:
    """Refuse symbolic tensors in `text % value` where a number is formatted."""
    known = text.value if isinstance(text, Const) else None
    if not isinstance(known, str) or "*" in known or "%(" in known:
        return
    formats = [part for part in known.replace("%%", "").split("%")[1:] if part]
    kinds = [next((letter for letter in part if letter.isalpha()), "") for part in formats]
    values = value.items if isinstance(value, Seq) and value.kind == "tuple" else (value,)
    for kind, part in zip(kinds, values, strict=False):
        if kind and kind in NUMERIC:
            require_python(t, part, place, f"the format %{kind}")
