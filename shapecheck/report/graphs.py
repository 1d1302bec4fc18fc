"""A dataflow graph as DOT, GraphML or JSON. It knows nodes, edges and attributes, not their meaning."""

from __future__ import annotations

import io
import json
from typing import Any

import networkx as nx

from shapecheck.source import Place

FORMATS = ("dot", "graphml", "json")


def render(graph: nx.MultiDiGraph[Any], form: str) -> str:
    plain = _plain(graph)
    match form:
        case "dot":
            return _dot(plain)
        case "graphml":
            buffer = io.BytesIO()
            nx.write_graphml_xml(plain, buffer)
            return buffer.getvalue().decode() + "\n"
        case _:
            return json.dumps(nx.node_link_data(plain, edges="edges"), indent=2, ensure_ascii=False) + "\n"


def _plain(graph: nx.MultiDiGraph[Any]) -> nx.MultiDiGraph[Any]:
    """Return the same graph with nodes numbered in their order and attributes of plain types."""
    numbers = {node: index for index, node in enumerate(graph)}
    plain: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    for node, attributes in graph.nodes(data=True):
        plain.add_node(numbers[node], **_attributes(attributes))
    for source, sink, attributes in graph.edges(data=True):
        plain.add_edge(numbers[source], numbers[sink], **_attributes(attributes))
    return plain


def _attributes(attributes: dict[str, Any]) -> dict[str, str | int | float | bool]:
    return {str(key): _scalar(value) for key, value in attributes.items() if value is not None}


def _scalar(value: object) -> str | int | float | bool:
    if isinstance(value, Place):
        return f"{value}:{value.column}"
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def _dot(graph: nx.MultiDiGraph[Any]) -> str:
    lines = ["digraph shapes {", '  node [shape=box fontname="monospace"]']
    for node, attributes in graph.nodes(data=True):
        label = "\n".join(str(value) for value in attributes.values() if value != "") or str(node)
        lines.append(f"  {node} [label={_quoted(label)}]")
    for source, sink, attributes in graph.edges(data=True):
        label = " ".join(str(value) for value in attributes.values() if value != "")
        lines.append(f"  {source} -> {sink}" + (f" [label={_quoted(label)}]" if label else ""))
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
