"""A model as a drawing: a box for each layer with the shapes that it takes and gives, and its number of parameters."""

from __future__ import annotations

from shapecheck.report.drawing.svg import Drawing, Node
from shapecheck.report.model_table import LayerRow, ModelTable, number, title


def drawing(table: ModelTable) -> Drawing:
    """Return the drawing of a model; what it is fed with is a box above the layers that read it."""
    first = len(table.inputs)
    nodes = [Node("input", (shape,), "input") for shape in table.inputs]
    nodes += [_box(row) for row in table.rows]
    edges = [(source, first + at) for at, row in enumerate(table.rows) for source in row.fed]
    edges += [(first + source, first + at) for at, row in enumerate(table.rows) for source in row.sources]
    if table.kind == "Sequential":  # layers after one that fails are never called
        edges += [
            (first + at - 1, first + at) for at, row in enumerate(table.rows) if at and not (row.fed or row.sources)
        ]
    order = _in_order(len(nodes), edges)
    place = {node: at for at, node in enumerate(order)}
    parameters = f", {number(table.total)} parameters" if table.total is not None else ""
    said = f"Model {title(table)}: {len(table.rows)} layers{parameters}"
    return Drawing(said, [nodes[node] for node in order], [(place[start], place[end]) for start, end in edges])


def _box(row: LayerRow) -> Node:
    kind = "fault" if row.is_faulty else "unknown" if row.output in ("", "?") else "layer"
    parameters = f"{number(row.parameters)} parameters" if row.parameters != 0 else ""
    gives = "fails" if row.is_faulty else row.output or "not called"
    taken = ", ".join(row.inputs)
    shapes = f"{taken} → {gives}" if taken else gives
    return Node(row.label, tuple(filter(None, (shapes, parameters))), kind, note=f"line {row.place.row}")


def _in_order(count: int, edges: list[tuple[int, int]]) -> list[int]:
    """Return the nodes so that each comes after those that it reads, where that is possible."""
    waiting = {node: {start for start, end in edges if end == node and start != node} for node in range(count)}
    order: list[int] = []
    while waiting:
        free = [node for node, before in waiting.items() if not before & waiting.keys()]
        for node in free or [next(iter(waiting))]:
            order.append(node)
            del waiting[node]
    return order
