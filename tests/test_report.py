"""The text of findings, pinned as a whole, because people read and programs parse it."""

from __future__ import annotations

import json
from dataclasses import replace

import networkx as nx
import pytest

from shapecheck.config import FORMATS
from shapecheck.findings import Certainty, Confirmation, Finding, Frame, Operand, Related, Severity
from shapecheck.report import graphs, render
from shapecheck.report.result import Run
from shapecheck.report.style import width, wrapped
from shapecheck.source import Place, Source

TEXT = """\
import keras
import tensorflow as tf
x = keras.Input(shape=(128,))
w = tf.zeros([64, 10])
y = tf.matmul(x, w)
"""


def place(text: str, of: str, filename: str = "train.py") -> Place:
    start = text.index(of)
    return Place(Source(filename, text), start, start + len(of))


FINDING = Finding(
    "SHP101",
    "axis-mismatch",
    "mismatch",
    Severity.ERROR,
    Certainty.PROVED,
    place(TEXT, "tf.matmul(x, w)"),
    "tf.matmul: x has 128 columns, w has 64 rows",
    operands=(
        Operand("x", "(B, 128)", place(TEXT, "keras.Input(shape=(128,))")),
        Operand("w", "(64, 10)", place(TEXT, "tf.zeros([64, 10])"), "tf.zeros([64, 10])"),
    ),
    call_path=(Frame(place(TEXT, "y ="), "build"),),
    related=(Related(place(TEXT, "x ="), "x @ w: x has 128 columns, w has 64 rows"),),
    guards=("training is False",),
    help="did you mean transpose_b=True?",
    confirmation=Confirmation("confirmed", "cpu", "tensorflow 2.21.0", "InvalidArgumentError", "no"),
)


def shown(findings: list[Finding], form: str = "text", colour: bool = False) -> str:
    return render(form, Run(findings, colour))


def test_text() -> None:
    assert shown([FINDING]) == (
        "train.py:5:5: error[axis-mismatch] tf.matmul: x has 128 columns, w has 64 rows\n"
        "  |\n"
        "5 | y = tf.matmul(x, w)\n"
        "  |     ^^^^^^^^^^^^^^^\n"
        "  = x: (B, 128)   from keras.Input(shape=(128,)), train.py:3\n"
        "  = w: (64, 10)   from tf.zeros([64, 10]), train.py:4\n"
        "  = in build, called from train.py:5\n"
        "  = also at train.py:3: x @ w: x has 128 columns, w has 64 rows\n"
        "  = when training is False\n"
        "  = help: did you mean transpose_b=True?\n"
        "  = confirmed: TensorFlow 2.21.0 raises InvalidArgumentError: no\n"
    )


def test_concise() -> None:
    assert (
        shown([FINDING, FINDING], "concise")
        == "train.py:5:5: error[axis-mismatch] tf.matmul: x has 128 columns, w has 64 rows\n" * 2
    )


def test_json() -> None:
    (found,) = json.loads(shown([FINDING], "json"))
    assert found == json.loads(shown([FINDING], "jsonl"))
    assert found == {
        "code": "SHP101",
        "name": "axis-mismatch",
        "category": "mismatch",
        "severity": "error",
        "certainty": "proved",
        "message": "tf.matmul: x has 128 columns, w has 64 rows",
        "filename": "train.py",
        "cell": None,
        "location": {"row": 5, "column": 5},
        "end_location": {"row": 5, "column": 20},
        "operands": [
            {
                "text": "x",
                "shape": "(B, 128)",
                "origin": {"filename": "train.py", "cell": None, "row": 3, "text": "keras.Input(shape=(128,))"},
            },
            {
                "text": "w",
                "shape": "(64, 10)",
                "origin": {"filename": "train.py", "cell": None, "row": 4, "text": "tf.zeros([64, 10])"},
            },
        ],
        "call_path": [{"filename": "train.py", "cell": None, "row": 5, "function": "build"}],
        "related": [
            {
                "filename": "train.py",
                "cell": None,
                "location": {"row": 3, "column": 1},
                "message": "x @ w: x has 128 columns, w has 64 rows",
            }
        ],
        "guards": ["training is False"],
        "witness": {},
        "help": "did you mean transpose_b=True?",
        "confirmation": {
            "status": "confirmed",
            "device": "cpu",
            "library": "tensorflow 2.21.0",
            "error": "InvalidArgumentError",
            "text": "no",
        },
        "fix": None,
        "fixes": [],
        "url": "shapecheck/rules/mismatch/axis_mismatch.md",
    }


def test_nothing_found() -> None:
    assert {form: shown([], form) for form in FORMATS[:4]} == {
        "text": "",
        "concise": "",
        "json": "[]\n",
        "jsonl": "",
    }


def framed(text: str, of: str) -> list[str]:
    bare = Finding("SHP1", "a", "b", Severity.WARNING, Certainty.PATTERN, place(text, of), "m")
    return shown([bare]).splitlines()[1:]


def test_a_call_over_several_rows() -> None:
    assert framed("y = f(\n    a,\n\n    b)\n", "f(\n    a,\n\n    b)") == [
        "  |",
        "1 | y = f(",
        "  |     ^^",
        "2 |     a,",
        "  |     ^^",
        "4 |     b)",
        "  |     ^^",
    ]


def test_a_long_call_is_cut() -> None:
    text = "f(\n" + "    a,\n" * 20 + ")\n"
    lines = framed(text, text.strip())
    assert lines[-1] == "  | ..."
    assert len(lines) == 10


def test_a_long_row_is_cut_around_the_place() -> None:
    row = "x = [" + "1, " * 300 + "bad, " + "2, " * 300 + "]"
    lines = framed(row, "bad")
    assert len(lines[1]) < 160
    assert lines[1][lines[2].index("^") :].startswith("bad")


def test_tabs_wide_signs_and_control_characters() -> None:
    assert framed("\tf('漢\x1b[31m', g)", "g") == ["  |", "1 |     f('漢␛[31m', g)", "  |                  ^"]


def test_colours_come_only_when_wanted() -> None:
    painted = shown([FINDING], colour=True)
    assert "\x1b[1;31merror[axis-mismatch]\x1b[0m" in painted
    assert "\x1b" not in shown([FINDING])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            Confirmation("refuted", library="numpy 2.4"),
            "refuted: NumPy 2.4 accepts this; please report this false alarm",
        ),
        (Confirmation("crashed", "gpu", "keras 3.15"), "crashed: Keras 3.15 on GPU aborts the whole process"),
        (Confirmation("not-reproducible", text="reads a file"), "not reproducible: reads a file"),
        (
            Confirmation("not-reproducible", text="NumPy is not installed"),
            "not tried: NumPy is not installed in this environment",
        ),
        (Confirmation("timed-out"), "timed out: the library did not answer"),
    ],
)
def test_confirmations(said: Confirmation, told: str) -> None:
    assert shown([replace(FINDING, confirmation=said)]).splitlines()[-1].startswith(f"  = {told}")


def test_a_witness_is_shown_where_it_is_the_reason() -> None:
    found = replace(FINDING, certainty=Certainty.WITNESS, witness={"n": 3, "B": 1}, confirmation=None)
    assert "  = for example with B = 1, n = 3\n" in shown([found])


def test_graphs() -> None:
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    graph.add_node(("step", 1), text='tf.constant("a")', place=FINDING.place, shape=None)
    graph.add_node(("step", 2), text="f", argument=2)
    graph.add_edge(("step", 1), ("step", 2), position=0)
    assert graphs.render(graph, "dot").splitlines()[2:] == [
        r'  0 [label="tf.constant(\"a\")\ntrain.py:5:5"]',
        r'  1 [label="f\n2"]',
        '  0 -> 1 [label="0"]',
        "}",
    ]
    assert json.loads(graphs.render(graph, "json"))["nodes"][1] == {"text": "f", "argument": 2, "id": 1}
    assert nx.parse_graphml(graphs.render(graph, "graphml")).number_of_edges() == 1


@pytest.mark.parametrize("columns", [40, 57, 70, 200])
def test_text_fits_into_a_terminal(columns: int) -> None:
    words = "alpha beta \x1b[1mgamma\x1b[0m 形状形状 delta epsilon zeta eta theta iota kappa lambda mu"
    lines = wrapped(f"   = {words}", columns, 5).split("\n")
    assert all(width(line.replace("\x1b[1m", "").replace("\x1b[0m", "")) <= columns for line in lines)
    assert lines[0].startswith("   = alpha")
    assert all(line.startswith("     ") for line in lines[1:])
    assert " ".join(line.strip() for line in lines) == f"= {words}"
    assert len(lines) > 1 or columns == 200


def test_text_without_a_terminal_is_not_broken() -> None:
    assert wrapped("word " * 100, 0, 5) == "word " * 100
