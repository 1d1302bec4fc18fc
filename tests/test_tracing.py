"""Results of the tracer other than findings: the dataflow graph, the call cache, its budgets."""

from __future__ import annotations

import textwrap
from pathlib import Path

import networkx
import pytest

import shapecheck
from shapecheck.checker import inspect
from shapecheck.config import Config
from shapecheck.dataflow import entry_points
from shapecheck.dataflow.interpreter import statements
from shapecheck.dataflow.state.budget import Budget
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.values import Tensor
from shapecheck.shapes.text import show
from shapecheck.source import Source


def traced(program: str) -> Tracer:
    """Return a tracer that has traced the program as a script."""
    text = "import numpy as np\nimport tensorflow as tf\n" + textwrap.dedent(program)
    return inspect.traced(Source("program.py", text), Config())


def steps(tracer: Tracer, kind: str) -> list[str]:
    return [step.name for step in tracer.graph.steps if step.kind == kind]


def test_operations_and_calls_are_steps_and_tensors_are_edges() -> None:
    tracer = traced("""
        def dense(x, w):
            return tf.nn.relu(tf.matmul(x, w))
        y = dense(tf.zeros([2, 3]), tf.zeros([3, 4]))
    """)
    graph = tracer.graph.digraph()
    assert isinstance(graph, networkx.MultiDiGraph)
    assert steps(tracer, "call") == ["dense"]
    matmul = next(step for step in tracer.graph.steps if step.name == "tf.matmul")
    relu = next(step for step in tracer.graph.steps if step.name == "tf.nn.relu")
    assert [data["argument"] for _, _, data in graph.in_edges(matmul.id, data=True)] == [0, 1]
    assert graph.has_edge(matmul.id, relu.id)
    assert [frame.function for frame in relu.frames] == ["dense"]


def test_joined_branches_make_a_phi() -> None:
    tracer = traced("""
        def f(flag):
            if flag:
                x = tf.zeros([4, 8])
            else:
                x = tf.ones([4, 8])
            return tf.nn.relu(x)
        f(unknown())
    """)
    relu = next(step for step in tracer.graph.steps if step.name == "tf.nn.relu")
    assert [tracer.graph[tensor.step].kind for _, tensor in relu.operands()] == ["phi"]
    assert networkx.is_directed_acyclic_graph(tracer.graph.digraph())


def test_a_value_that_every_turn_makes_anew_comes_from_a_loop_step() -> None:
    tracer = traced("""
        x = tf.zeros([4, 8])
        for _ in range(1000):
            x = tf.nn.relu(x)
        y = tf.nn.tanh(x)
    """)
    tanh = next(step for step in tracer.graph.steps if step.name == "tf.nn.tanh")
    sources = [tracer.graph[tensor.step] for _, tensor in tanh.operands()]
    assert [step.kind for step in sources] == ["loop"]
    assert isinstance(sources[0].result, Tensor)
    assert show(sources[0].result.shape) == "(4, 8)"


def test_the_same_call_is_traced_once() -> None:
    tracer = traced("""
        def dense(x, w):
            return tf.matmul(x, w)
        x, w = tf.zeros([2, 3]), tf.zeros([3, 4])
        a = dense(x, w)
        b = dense(x, w)
    """)
    assert [step.name for step in tracer.graph.steps].count("tf.matmul") == 1


def test_a_function_that_reads_a_changed_name_is_traced_again() -> None:
    tracer = traced("""
        WIDTH = 4
        def widen(x):
            return tf.matmul(x, tf.zeros([3, WIDTH]))
        x = tf.zeros([2, 3])
        a = widen(x)
        WIDTH = 5
        b = widen(x)
    """)
    shapes = [
        show(s.result.shape) for s in tracer.graph.steps if s.name == "tf.matmul" and isinstance(s.result, Tensor)
    ]
    assert shapes == ["(2, 4)", "(2, 5)"]


def test_every_call_makes_its_own_variables() -> None:
    tracer = traced("""
        def scaled(x):
            w = tf.Variable(tf.zeros([3]))
            return w
        x = tf.zeros([2, 3])
        a, b = scaled(x), scaled(x)
    """)
    assert [step.name for step in tracer.graph.steps].count("tf.Variable") == 2


def test_endless_recursion_is_a_spent_budget() -> None:
    tracer = traced("""
        def f(x):
            return f(tf.concat([x, x], 0))
        f(tf.zeros([1]))
    """)
    assert tracer.budget.exhausted
    assert not tracer.clashes


def test_decorators_have_a_budget_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
        def logged(f):
            for word in open("words").read():
                word.strip()
            return f
        @logged
        def first(x):
            return tf.concat([x, x], 0)
        @logged
        def second(x):
            return tf.concat([x, x], 0)
        a, b = first(tf.zeros([1])), second(tf.zeros([2]))
    """
    assert steps(traced(program), "call") == ["logged", "logged", "first", "second"]
    monkeypatch.setattr(statements, "MAX_DECORATING", 1)
    tracer = traced(program)
    assert steps(tracer, "call").count("logged") == 1
    assert tracer.diagnostics.lost_reasons["result of an unknown decorator"]


def test_functions_that_use_up_their_budget_leave_less_to_those_after_them(monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
        def first(x: int):
            for i in range(x):
                for j in range(x):
                    tf.zeros([2]) + tf.zeros([2])
            tf.zeros([2]) + tf.zeros([3])
        def second(x: int):
            for i in range(x):
                for j in range(x):
                    tf.zeros([2]) + tf.zeros([2])
            tf.zeros([2]) + tf.zeros([4])
    """
    monkeypatch.setattr(entry_points, "FUNCTION_FUEL", 400)
    assert [traced(program).budget.exhausted, len(traced(program).clashes)] == [0, 2]
    monkeypatch.setattr(entry_points, "SCRIPT_FUEL", 100)
    assert [traced(program).budget.exhausted > 0, len(traced(program).clashes)] == [True, 1]


def test_modules_that_functions_assign_are_executed_after_a_script_without_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.py").write_text("import numpy as np\npairs = 0\nrows = np.zeros(3) + np.zeros(3)\n")
    program = """
        import numpy as np
        import settings
        def prepare(count):
            settings.pairs = np.zeros((count, 3))
        def used(rows):
            return np.matmul(settings.pairs, rows), np.zeros(3) @ np.zeros(4)
        rows = 0
        while unknown(rows):
            rows = np.zeros(rows) + np.ones(rows)
    """
    monkeypatch.setattr(entry_points, "fuel_of", lambda source: 30)
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    assert [f.name for f in shapecheck.check([path], Config(cache_dir=None))] == ["axis-mismatch"]


@pytest.mark.parametrize(
    ("loop", "body"),
    [
        ("while True", "if len(x) > n: break"),
        ("for _ in range(n)", "if state.seen is None: state.seen = x; continue"),
    ],
)
def test_a_loop_that_is_passed_over_stands_for_all_iterations(
    loop: str, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = f"""
class State:
    def __init__(self):
        self.seen = None
def rows(x, n):
    kept, state = [], State()
    {loop}:
        {body}
        kept.append(x)
    return np.array(kept)
rows(np.zeros(2), np.random.randint(9))
rows(np.zeros(3), np.random.randint(9))[:, 0]
"""
    monkeypatch.setattr(Budget, "is_repetitive", True)
    assert traced(program).clashes == []
