"""The layers of a model as a table, as `model.summary()` prints it. It knows rows, not how they were inferred."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapecheck.source import Place

_HEAD = ("layer", "line", "output shape", "parameters")


@dataclass(frozen=True, slots=True)
class LayerRow:
    """A layer: its name if it has one, its class, where it is made, the shapes that it takes and gives, its number of
    parameters (None if that is not known), and the numbers of the rows and of the model's inputs that it reads."""

    name: str
    kind: str
    place: Place
    inputs: tuple[str, ...] = ()
    output: str = ""
    parameters: int | None = None
    sources: tuple[int, ...] = ()
    fed: tuple[int, ...] = ()
    is_faulty: bool = False

    @property
    def label(self) -> str:
        return f"{self.name} ({self.kind})" if self.name else self.kind


@dataclass(frozen=True, slots=True)
class ModelTable:
    """A model, its layers, and the shapes of what it is fed with; `kind` is Sequential, Functional, or the name of its
    class. Weights of the model itself make the total another number than the sum of the rows."""

    name: str
    kind: str
    place: Place
    rows: tuple[LayerRow, ...]
    inputs: tuple[str, ...]
    total: int | None

    @property
    def is_faulty(self) -> bool:
        return any(row.is_faulty for row in self.rows)


def as_text(tables: Sequence[ModelTable]) -> str:
    """Return one table for each model, below each other."""
    return "\n".join("".join(f"{line}\n" for line in _lines(table)) for table in tables)


def _lines(table: ModelTable) -> Iterator[str]:
    cells = [_HEAD, *(_cells(row) for row in table.rows)]
    cells.append(("total", "", "", number(table.total)))
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEAD))]
    yield f"{table.place}: {title(table)}"
    for row in cells:
        texts = [text.ljust(width) for text, width in zip(row[:-1], widths, strict=False)]
        yield "  " + "  ".join([*texts, row[-1].rjust(widths[-1])])


def title(table: ModelTable) -> str:
    """Return `model (Sequential)`."""
    return table.kind if table.name in ("", table.kind) else f"{table.name} ({table.kind})"


def _cells(row: LayerRow) -> tuple[str, str, str, str]:
    return row.label, str(row.place.row), row.output or "?", number(row.parameters)


def number(count: int | None) -> str:
    """Return a number of parameters with commas."""
    return "?" if count is None else f"{count:,}"
