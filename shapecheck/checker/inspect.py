"""Queries about programs: the inferred shapes of expressions, and the dataflow graph."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.checker.check_file import syntax
from shapecheck.checker.model_tables import model_tables
from shapecheck.checker.pipeline import source_of, target_of
from shapecheck.checker.trace_file import trace_file
from shapecheck.config import Config
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.join import generalise
from shapecheck.domain.values import Choice, Tensor, Value, walk
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.versions import common_target
from shapecheck.report.drawing.dataflow import whole
from shapecheck.report.drawing.svg import Drawing
from shapecheck.report.model_table import ModelTable
from shapecheck.shapes.text import show, show_size
from shapecheck.source import Place, Source, UnreadableSource

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True)
class Revealed:
    """An expression and its inferred shape."""

    filename: str
    cell: int | None
    row: int
    column: int
    end_row: int
    end_column: int
    text: str
    shape: str
    dtype: str | None
    tensor: Tensor


@dataclass(frozen=True, slots=True)
class FileShapes:
    """The shapes in a file, its models, and a line for each place beyond which it is not followed."""

    shapes: list[Revealed]
    models: list[ModelTable]
    endings: list[str]


def traced(source: Source, config: Config, *, observe: bool = False) -> Tracer:
    """Return the tracer of a source, with the sizes in the files that it reads; with `observe` the value of every
    expression is recorded. Raises UnreadableSource."""
    parsed = ParsedFiles([source], common_target([source.text], target_of(config)))
    parsed.data_folders = tuple(os.path.realpath(folder) for folder in config.data)
    told = syntax(parsed, source)
    for fault in () if source.cells else (*told.faults, *told.unread):
        raise UnreadableSource(f"{Place(source, fault.start, fault.start)}: {fault.message}")
    tracer = trace_file(parsed, source, observe=observe)
    return trace_file(parsed, source, observe=observe, with_data=True) if tracer.program.data.found else tracer


def reveal(path: str | Path, line: int | None, config: Config, cell: int | None = None) -> list[Revealed]:
    """Return the shape of every tensor expression of a file, or of one line of it, which is counted within `cell` if
    one is given; raises UnreadableSource."""
    return inspect(path, line, config, cell).shapes


def inspect(path: str | Path, line: int | None, config: Config, cell: int | None = None) -> FileShapes:
    """Return what is known of a file, or of one line of it, which is counted within `cell` if one is given; raises
    UnreadableSource."""
    seen = _file_shapes(source_of(Path(path)), config)
    shapes = [item for item in seen.shapes if line in (None, item.row) and cell in (None, item.cell)]
    models = [table for table in seen.models if line in (None, table.place.row) and cell in (None, table.place.cell)]
    return FileShapes(shapes, models, seen.endings)


def shapes_in(source: Source, config: Config) -> list[Revealed]:
    """Return the shape of every tensor expression of a source; raises UnreadableSource."""
    return _file_shapes(source, config).shapes


def _file_shapes(source: Source, config: Config) -> FileShapes:
    tracer = traced(source, config, observe=True)
    shapes = [] if tracer.observed is None else revealed(source, tracer.observed.in_file(source.filename))
    models = [table for table in model_tables(tracer) if table.place.filename == source.filename]
    return FileShapes(shapes, models, tracer.component(Endings).lines())


def revealed(source: Source, values: Mapping[tuple[int, int], Value]) -> list[Revealed]:
    """Return the shape of every tensor expression of a source, from the values that they had."""
    found = []
    for (start, end), value in sorted(values.items(), key=itemgetter(0)):
        tensor, shape = shown(value)
        if tensor is None:
            continue
        place = Place(source, start, end)
        where = (place.cell, place.row, place.column, place.end_row, place.end_column)
        found.append(Revealed(source.filename, *where, place.text, shape, tensor.dtype, tensor))
    return found


def shown(value: Value) -> tuple[Tensor | None, str]:
    """Return a tensor and the text of its shape; sizes that differ between paths are shown as `4|5`."""
    if isinstance(value, Tensor):
        return value, show(value.shape)
    options = [option for _, option in value.options if isinstance(option, Tensor)] if isinstance(value, Choice) else []
    if not isinstance(value, Choice) or len(options) < len(value.options):
        return None, ""
    whole: Value = options[0]
    for option in options[1:]:
        whole = generalise(whole, option)
    if not isinstance(whole, Tensor):
        return None, ""
    if not all(option.shape.is_ranked and option.shape.rank == options[0].shape.rank for option in options):
        return whole, show(whole.shape)
    sizes = [
        "|".join(dict.fromkeys(map(show_size, sizes))) for sizes in zip(*(o.shape.sizes for o in options), strict=True)
    ]
    return whole, f"({', '.join(sizes)})" if len(sizes) != 1 else f"({sizes[0]},)"


def drawing(path: str | Path, config: Config) -> Drawing:
    """Return the dataflow graph of a file as a drawing, in which failing steps are marked; raises UnreadableSource."""
    tracer = traced(source_of(Path(path)), config)
    return whole(tracer.graph, {clash.step.id for clash in tracer.clashes if clash.claim is not None})


def graph(path: str | Path, config: Config) -> networkx.MultiDiGraph[int]:
    """Return the dataflow graph of a file and what it imports, with plain attributes; raises UnreadableSource."""
    steps = traced(source_of(Path(path)), config).graph
    digraph = steps.digraph()
    for step in steps.steps:
        attributes = digraph.nodes[step.id]
        attributes.clear()
        attributes |= {"kind": step.kind, "name": step.name, "shape": _shapes(step.result), "place": str(step.place)}
        if step.frames:
            attributes["function"] = step.frames[-1].function
    for _, _, attributes in digraph.edges(data=True):
        if not attributes["output"]:
            del attributes["output"]
    return digraph


def _shapes(result: Value | None) -> str:
    tensors = [value for value in walk(result) if isinstance(value, Tensor)] if result is not None else []
    return ", ".join(show(tensor.shape) for tensor in tensors)
