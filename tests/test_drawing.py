"""Drawings: layouts of random graphs, groups within groups, and what is drawn of models and dataflow."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from shapecheck.checker.inspect import drawing, traced
from shapecheck.checker.model_tables import model_tables
from shapecheck.checker.pipeline import source_of
from shapecheck.config import Config
from shapecheck.report.drawing import models
from shapecheck.report.drawing.dataflow import MOST_STEPS, slice_of
from shapecheck.report.drawing.layout import Edge, layered
from shapecheck.report.drawing.svg import Drawing, Group, Node, page, svg
from tests.support.seed import draws

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


def graph(random: Random) -> tuple[list[tuple[float, float]], list[Edge]]:
    count = random.randint(1, 25)
    sizes = [(float(random.randint(20, 200)), float(random.randint(20, 60))) for _ in range(count)]
    pairs = [(random.randrange(count), random.randrange(count)) for _ in range(random.randint(0, 2 * count))]
    return sizes, [pair for pair in pairs if pair[0] != pair[1]]


def test_boxes_lie_apart_and_edges_lead_down() -> None:
    random = draws("layouts")
    for _ in range(200):
        sizes, edges = graph(random)
        layout = layered(sizes, edges)
        boxes = [(x, y, *size) for (x, y), size in zip(layout.corners, sizes, strict=True)]
        assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
        assert all(x >= -0.01 and x + wide <= layout.width + 0.01 for x, _, wide, _ in boxes)
        assert all(y + high <= layout.height + 0.01 for _, y, _, high in boxes)
        for start, end in edges:
            if start < end:
                assert boxes[start][1] + boxes[start][3] <= boxes[end][1]


def overlap(first: Box, second: Box) -> bool:
    return all(
        abs(first[i] + first[i + 2] / 2 - second[i] - second[i + 2] / 2) < (first[i + 2] + second[i + 2]) / 2 - 0.01
        for i in (0, 1)
    )


def rectangles(text: str) -> dict[str, list[Box]]:
    """Return the rectangles of a drawing by the class of what is around them."""
    found: dict[str, list[Box]] = {}
    for group in ElementTree.fromstring(text).iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        assert rect is not None
        box = tuple(float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
        found.setdefault(group.get("class", "").split()[0], []).append(box)  # type: ignore[arg-type]
    return found


def test_frames_are_around_their_boxes() -> None:
    nodes = [Node("a"), Node("b", group=0), Node("c", group=1), Node("d", ("x", "y"), group=1), Node("e")]
    drawn = Drawing("frames", nodes, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)], [Group("outer"), Group("inner", 0)])
    found = rectangles(svg(drawn, is_alone=True))
    outer, inner = found["group"]
    boxes = found["box"]
    assert inside(inner, outer)
    assert [inside(box, outer) for box in boxes] == [False, True, True, True, False]
    assert [inside(box, inner) for box in boxes] == [False, False, True, True, False]
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]


def inside(box: Box, around: Box) -> bool:
    return all(around[i] <= box[i] and box[i] + box[i + 2] <= around[i] + around[i + 2] for i in (0, 1))


def test_text_cannot_leave_its_place() -> None:
    node = Node('<script>&"', ("\x1b[31m",), note="</title><b>", link='" onclick="x')
    text = page(Drawing('"><b>', [node], []), "<h1>")
    assert "<script>" not in text
    assert "<b>" not in text
    assert "\x1b" not in text
    assert 'onclick="' not in text


CHAIN = """
import tensorflow as tf

def twice(x):
    return x + x

def grown(x):
    for _ in range(4):
        x = tf.nn.relu(twice(x))
    return x

a = grown(tf.zeros([2, 3]))
b = tf.matmul(a, tf.zeros([5, 7]))
"""


def test_a_slice_marks_the_fault_and_frames_calls(tmp_path: Path) -> None:
    path = tmp_path / "chain.py"
    path.write_text(CHAIN)
    tracer = traced(source_of(path), Config())
    (clash,) = tracer.clashes
    drawn = slice_of(tracer.graph, clash.step)
    assert [(node.title, node.lines) for node in drawn.nodes if node.kind == "fault"] == [
        ("tf.matmul(a, tf.zeros([5, 7]))", ("fails", "line 13"))
    ]
    assert {group.title for group in drawn.groups} >= {"grown(), line 12", "twice(), line 9"}
    assert all(
        drawn.groups[group.parent].title == "grown(), line 12" for group in drawn.groups if group.parent is not None
    )
    assert len(drawn.nodes) <= MOST_STEPS
    assert {node.title for node in drawn.nodes} >= {"x + x", "tf.zeros([2, 3])", "tf.zeros([5, 7])"}
    assert [node for node in drawing(path, Config()).nodes if node.kind == "fault"] == [
        node for node in drawn.nodes if node.kind == "fault"
    ]


MODEL = """
import keras
from keras import layers

start = keras.Input((8,))
x = layers.Dense(8)(start)
end = layers.Add()([x, start])
model = keras.Model(start, end)
bad = keras.Sequential([keras.Input((7,)), layers.Dense(4), layers.Conv2D(3, 3), layers.Dense(2)])
"""


def test_models_are_drawn_with_what_they_are_fed(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    good, bad = [models.drawing(table) for table in model_tables(traced(source_of(path), Config()))]
    assert [node.title for node in good.nodes] == ["input", "Dense", "Add"]
    assert set(good.edges) == {(0, 1), (1, 2), (0, 2)}
    assert good.nodes[1].lines == ("(B, 8) → (B, 8)", "72 parameters")
    assert [node.kind for node in bad.nodes] == ["input", "layer", "fault", "layer"]


@pytest.mark.parametrize("name", ["digits", "encoder", "house_prices"])
def test_examples_fit_on_a_screen(name: str) -> None:
    path = Path(__file__).parents[1] / "examples" / f"{name}.py"
    root = ElementTree.fromstring(svg(drawing(path, Config()), is_alone=True))
    assert float(root.get("width", "")) < 1500
    assert float(root.get("height", "")) < 1000
