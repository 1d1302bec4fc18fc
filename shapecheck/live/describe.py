"""What live objects are: one line for each variable that holds arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shapecheck.live import known_types as known
from shapecheck.live.snapshot import dtype_of, shape_of

_MOST_PARTS = 6


@dataclass(frozen=True, slots=True)
class Description:
    """A variable: its kind, the text of its shape, and its dtype."""

    name: str
    kind: str
    shape: str
    dtype: str = ""


def describe(variables: Mapping[str, object]) -> list[Description]:
    """Return the variables that hold arrays, by name; other ones and those that begin with `_` are left out."""
    found = [_described(name, value) for name, value in sorted(variables.items()) if not name.startswith("_")]
    return [each for each in found if each is not None]


def table(variables: Mapping[str, object]) -> str:
    """Return the descriptions of variables as lines of a table."""
    rows = [(each.name, each.kind, each.shape, each.dtype) for each in describe(variables)]
    if not rows:
        return "no variable holds an array"
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    return "\n".join(
        "  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _described(name: str, value: object) -> Description | None:
    kind = known.type_name(value)
    if kind in known.ARRAYS or kind in (known.FRAME, known.SERIES):
        dtype = "" if kind == known.FRAME else dtype_of(value)
        return Description(name, kind.rsplit(".", 1)[-1], shown(shape_of(value)), dtype)
    if kind and known.is_a(value, known.DATASET):
        return Description(name, "Dataset", _spec(value.element_spec))  # type: ignore[attr-defined]
    if kind in (known.SEQUENTIAL, known.FUNCTIONAL):
        return _model(name, value)
    parts = list(_parts(value))
    if not parts:
        return None
    text = ", ".join(parts[:_MOST_PARTS]) + (", …" if len(parts) > _MOST_PARTS else "")
    return Description(name, f"{type(value).__name__} of {len(value)}", text)  # type: ignore[arg-type]


def shown(sizes: tuple[int | None, ...] | None) -> str:
    """Return the text of a shape."""
    return "?" if sizes is None else str(sizes).replace("None", "?")


def _spec(spec: object) -> str:
    if known.type_name(spec) == known.SPEC:
        return shown(shape_of(spec))
    if type(spec) is tuple:
        return f"({', '.join(map(_spec, spec))})"
    if type(spec) is dict:
        return f"{{{', '.join(f'{key!r}: {_spec(held)}' for key, held in spec.items())}}}"
    return "?"


def _model(name: str, value: object) -> Description:
    try:
        inputs, outputs = value.inputs, value.outputs  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        inputs = outputs = None
    sides = [", ".join(shown(shape_of(each)) for each in side) if side else "not built" for side in (inputs, outputs)]
    text = " → ".join(dict.fromkeys(sides))
    return Description(name, type(value).__name__, text)


def _parts(value: object) -> Iterator[str]:
    """Yield the texts of the arrays in a list, tuple or dict."""
    if type(value) in (list, tuple):
        named = ((f"[{at}]", held) for at, held in enumerate(value[: _MOST_PARTS + 1]))  # type: ignore[index]
    elif type(value) is dict:
        named = ((f"[{key!r}]", held) for key, held in [*value.items()][: _MOST_PARTS + 1])
    else:
        return
    for key, held in named:
        if known.type_name(held) in known.ARRAYS:
            yield f"{key} {shown(shape_of(held))}"
