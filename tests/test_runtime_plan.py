"""Replays as texts: the program of a clash, and when there is none."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

import pytest

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import (
    NONE,
    BoundLibraryMethod,
    Choice,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Int,
    Library,
    Lost,
    Range,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
)
from shapecheck.models.lang.context import Target
from shapecheck.runtime.replay.plan import Plan, plan, repro
from shapecheck.shapes.facts import EMPTY, Claim, Equal, Facts
from shapecheck.shapes.shape import UNRANKED, Shape, ranked
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.source import Place, Source

TF2 = Target(tensorflow=2, keras=3, numpy=2)
TF1 = Target(tensorflow=1)
UNTOLD = Target()
WRONG = Equal(0, 1)


@dataclass
class Trace:
    """A dataflow graph made by hand; every step's text is a line of its own in `train.py`."""

    lines: list[str] = field(default_factory=list)
    graph: Graph = field(default_factory=Graph)
    objects: int = 0

    def step(self, text: str, name: str, *args: Value, result: Value | None = None, **keywords: Value) -> Step:
        """Add a step whose place is the right side of the `=` in its line."""
        start = sum(len(line) + 1 for line in self.lines) + (text.index(" = ") + 3 if " = " in text else 0)
        self.lines.append(text)
        place = Place(Source("train.py", "\n".join(self.lines)), start, start + len(text.split(" = ")[-1]))
        step = self.graph.add("op", name, args, keywords.items(), place, ())
        step.result = _stamped(result, step.id) if result is not None else None
        return step

    def tensor(self, text: str, name: str, *args: Value, of: Tensor, **keywords: Value) -> Tensor:
        """Add a step and return the tensor it makes."""
        made = self.step(text, name, *args, result=of, **keywords).result
        assert isinstance(made, Tensor)
        return made

    def object(self, text: str, name: str, *args: Value, **keywords: Value) -> Ref:
        """Add the step that constructs an object."""
        self.objects += 1
        made = self.step(text, name, *args, result=Ref(self.objects, name), **keywords).result
        assert isinstance(made, Ref)
        return made

    def zeros(self, name: str, *sizes: Size, library: str = "tf") -> Tensor:
        """Add a step that makes zeros."""
        made = Tensor(ranked(*sizes), "float32" if library == "tf" else "float64", library)  # type: ignore[arg-type]
        shape = Seq("list", tuple(Const(size) if isinstance(size, int) else Int(size) for size in sizes))
        return self.tensor(f"{name} = {library}.zeros(...)", f"{library}.zeros", shape, of=made)


def _stamped(value: Value, step: int) -> Value:
    if isinstance(value, Tensor):
        return Tensor(value.shape, value.dtype, value.library, step, 0, value.content, value.role, value.static)
    if isinstance(value, Seq):
        parts = (_stamped(item, step) for item in value.items)
        numbered = [
            Tensor(part.shape, part.dtype, part.library, step, output) if isinstance(part, Tensor) else part
            for output, part in enumerate(parts)
        ]
        return Seq(value.kind, tuple(numbered))
    return value


def tf_tensor(*sizes: Size) -> Tensor:
    return Tensor(ranked(*sizes), "float32", "tf")


def np_array(*sizes: Size) -> Tensor:
    return Tensor(ranked(*sizes), "float64", "np")


def clash(
    step: Step,
    claim: Claim | None,
    *operands: Value,
    kind: ClashKind = ClashKind.AXIS,
    message: str = "",
    facts: Facts = EMPTY,
) -> Clash:
    return Clash(kind, message, step, operands, claim, facts)


def matmul(trace: Trace, a: Tensor, b: Tensor, message: str = "") -> Clash:
    """Return the clash of a product of matrices."""
    step = trace.step("y = tf.matmul(x, w)", "tf.matmul", a, b)
    claim = Equal(a.shape.sizes[-1], b.shape.sizes[0])
    return clash(step, claim, a, b, message=message)


def program(made: Plan | str) -> str:
    """Return the program without its header."""
    assert isinstance(made, Plan), made
    ast.parse(made.program)
    return made.program.partition("\n\n")[2]


def test_operands_are_made_in_the_shapes_they_have() -> None:
    """One line for each operand, named as the source names it, with the place that made it."""
    trace = Trace()
    x, w = trace.zeros("x", 2, 128), trace.zeros("w", 64, 10)
    made = plan(trace.graph, matmul(trace, x, w, "x has 128 columns, w has 64 rows"), TF2)
    assert isinstance(made, Plan)
    assert made.program == (
        "import tensorflow as tf\n"
        "\n"
        "x = tf.zeros([2, 128])  # train.py:1\n"
        "w = tf.zeros([64, 10])  # train.py:2\n"
        "matmul = tf.matmul(x, w)  # train.py:3: x has 128 columns, w has 64 rows\n"
    )
    assert (made.fault_line, made.library, made.modules, made.modes) == (
        5,
        "tensorflow",
        ("tensorflow",),
        ("graph", "plain"),
    )
    assert set(made.names) == {"tensorflow:tf.zeros", "tensorflow:tf.matmul"}


def test_symbols_get_numbers_that_satisfy_the_facts() -> None:
    """Unknown sizes become numbers, the same everywhere, that satisfy the facts of the path."""
    trace = Trace()
    rows, columns = fresh("n", Kind.FREE), fresh("m", Kind.FREE)
    x, w = trace.zeros("x", rows, columns), trace.zeros("w", columns + 1, rows)
    made = clash(matmul(trace, x, w).step, Equal(columns, columns + 1), facts=EMPTY.add(Equal(columns, rows * 2 + 1)))
    text = program(plan(trace.graph, made, TF2))
    first, second = (
        ast.literal_eval(line.partition("tf.zeros(")[2].partition(")")[0]) for line in text.split("\n")[:2]
    )
    assert first[1] == first[0] * 2 + 1
    assert second == [first[1] + 1, first[0]]


def test_the_full_form_follows_the_program() -> None:
    """A program to keep makes its tensors as the source does."""
    trace = Trace()
    x = trace.zeros("x", 2, 12)
    wanted = Seq("list", (Const(4), Const(6)))
    y = trace.tensor("y = tf.reshape(x, [4, 6])", "tf.reshape", x, wanted, of=tf_tensor(4, 6))
    made = clash(trace.step("z = y @ x", "tf.@", y, x), Equal(6, 2))
    assert repro(trace.graph, made, TF2) == (
        "import tensorflow as tf\n"
        "\n"
        "x = tf.zeros([2, 12])  # train.py:1\n"
        "y = tf.reshape(x, [4, 6])  # train.py:2\n"
        "result = y @ x  # train.py:3\n"
    )


def test_steps_that_cannot_be_written_are_cut_out() -> None:
    """A step that reads files, or calls back into the program, is replaced by zeros of its shape."""
    trace = Trace()
    x = trace.tensor("x = np.load('x.npy')", "np.load", Const("x.npy"), of=np_array(3, 4))
    y = trace.tensor("y = np.vectorize(f)(x)", "np.vectorize", Function(1, 1, "f"), x, of=np_array(3, 5))
    text = repro(trace.graph, clash(trace.step("z = x + y", "np.+", x, y), Equal(4, 5)), TF2)
    assert "load" not in text
    assert "vectorize" not in text
    assert "x = np.zeros((3, 4))" in text
    assert "y = np.zeros((3, 5))" in text


@pytest.mark.parametrize(
    ("name", "args", "code"),
    [
        ("np.@", (np_array(2, 3), np_array(4, 5)), "x @ x2"),
        ("np.neg", (np_array(2, 3),), "-x"),
        ("np.[]", (np_array(2, 3), Const(5)), "x[5]"),
        (
            "np.[]",
            (np_array(2, 3), Seq("tuple", (SliceValue(NONE, Const(2), NONE), Const(None), Const(...)))),
            "x[:2, None, ...]",
        ),
        ("np.[]=", (np_array(2, 3), Const(0), np_array(4)), "x[0] = x2"),
        ("operator -", (np_array(2, 3), Const(-1)), "x - -1"),
        ("np.**", (Const(-2), np_array(3)), "(-2) ** x"),
        ("np.ndarray.reshape", (np_array(2, 3), Const(4), Const(-1)), "x.reshape(4, -1)"),
        ("np.ndarray.T", (np_array(2, 3),), "x.T"),
        ("np.concatenate", (Seq("list", (np_array(2, 3), np_array(4))),), "np.concatenate([x, x2])"),
        ("np.concatenate", (HomogeneousSeq("list", np_array(3), 2),), "np.concatenate([x] * 2)"),
        ("np.sum", (np_array(3), Choice((((), Const(1)), ((), Const(2))))), "np.sum(x, 1)"),
        ("np.take", (np_array(3), Range(0, 4, 1)), "np.take(x, range(0, 4, 1))"),
        ("np.pad", (np_array(3), Dict(((Const("a"), Const(1.5)),))), 'np.pad(x, {"a": 1.5})'),
        ("np.ndarray.astype", (np_array(3), Library("float")), "x.astype(float)"),
        ("np.add.outer", (np_array(3), BoundLibraryMethod(Library("np"), "pi")), "np.add.outer(x, np.pi)"),
        ("np.full", (Seq("tuple", (Const(3),)), Scalar("float")), "np.full((3,), 1.0)"),
    ],
)
def test_every_kind_of_step_has_its_own_form(name: str, args: tuple[Value, ...], code: str) -> None:
    trace = Trace()
    made = plan(trace.graph, clash(trace.step("f()", name, *args), Equal(0, 1)), TF2)
    last = program(made).strip().split("\n")[-1]
    assert last.partition("  #")[0].split(" = ", 0 if "[0] =" in code else 1)[-1] == code


@pytest.mark.parametrize(
    ("tensor", "code"),
    [
        (Tensor(ranked(2, 3), "int64", "np"), "np.zeros((2, 3), dtype=np.int64)"),
        (Tensor(ranked(2), "bool", "np"), "np.zeros((2,), dtype=bool)"),
        (Tensor(ranked(), "float64", "np"), "np.zeros(())"),
        (Tensor(ranked(2), "string", "tf"), "tf.zeros([2], dtype=tf.string)"),
        (Tensor(ranked(2), "int32", "tf"), "tf.zeros([2], dtype=tf.int32)"),
        (Tensor(ranked(2), None, "tf", role="variable"), "tf.Variable(tf.zeros([2]))"),
        (Tensor(Shape((2,), (3,)), "float32", "tf"), "tf.zeros([2, 3])"),
        (Tensor(ranked(1), "int32", "tf", content=Seq("list", (Const(4),))), "tf.constant([4], dtype=tf.int32)"),
        (Tensor(ranked(), "float32", "keras"), "keras.Input(batch_shape=())"),
        (Tensor(ranked(fresh("b", Kind.DYNAMIC), 3), "float32", "keras"), "keras.Input(shape=(3,))"),
    ],
)  # fmt: skip
def test_tensors_are_made_out_of_nothing(tensor: Tensor, code: str) -> None:
    trace = Trace()
    made = plan(trace.graph, clash(trace.step("f()", "tf.identity", tensor), Equal(0, 1)), TF2)
    assert program(made).partition("\n")[0] == f"x = {code}"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Lost("a call of os.getenv"), "uses an unknown value (a call of os.getenv)"),
        (Tensor(UNRANKED), "uses a tensor of unknown shape"),
        (Tensor(ranked(3), role="sparse"), "uses a sparse tensor"),
        (Ref(7, "user"), "uses an object of one of the program's classes"),
        (Ref(7, "keras.layers.Dense"), "uses a keras.layers.Dense of unknown origin"),
        (Function(1, 1, "f"), "uses one of the program's functions or classes"),
        (Scalar("str"), "uses a value of unknown kind str"),
        (Library("os.environ"), "uses os.environ, which cannot be replayed"),
        (Seq("list", (NONE,) * 100), "uses a long sequence"),
    ],
)
def test_a_reason_is_given_where_there_is_no_replay(value: Value, reason: str) -> None:
    trace = Trace()
    made = clash(trace.step("f()", "tf.identity", value), Equal(0, 1))
    assert plan(trace.graph, made, TF2) == reason
    assert repro(trace.graph, made, TF2) == f"# not reproducible: {reason}\n"


def test_steps_that_reach_outside_are_never_written() -> None:
    """No replay reads a file, whatever the program does."""
    trace = Trace()
    made = clash(trace.step("np.load('x')", "np.load", Const("x")), Equal(0, 1))
    assert plan(trace.graph, made, TF2) == "np.load accesses files or the network"


def test_arguments_without_a_say_in_shapes_are_left_out() -> None:
    """A lost activation does not prevent the replay."""
    trace = Trace()
    layer = trace.object("d = Dense(3)", "keras.layers.Dense", units=Const(3), activation=Lost("why not"))
    step = trace.step("y = d(x)", "keras.layers.Dense.__call__", layer, tf_tensor())
    assert program(plan(trace.graph, clash(step, Equal(0, 1), kind=ClashKind.RANK), TF2)) == (
        "dense = keras.layers.Dense(units=3)  # train.py:1\n"
        "x = keras.ops.zeros([])\n"
        "dense_output = dense(x)  # train.py:2\n"
    )


def test_a_layer_is_first_called_as_the_program_did() -> None:
    """A layer remembers the sizes of its first call."""
    trace = Trace()
    layer = trace.object("d = Dense(3)", "keras.layers.Dense", Const(3))
    trace.step("d(x)", "keras.layers.Dense.__call__", layer, tf_tensor(2, 128), result=tf_tensor(2, 3))
    step = trace.step("y = d(x)", "keras.layers.Dense.__call__", layer, tf_tensor(2, 64))
    assert program(plan(trace.graph, clash(step, Equal(128, 64), kind=ClashKind.LAYER_INPUT), TF2)).split("\n")[
        :-1
    ] == [
        "dense = keras.layers.Dense(3)  # train.py:1",
        "x = keras.ops.zeros([2, 128])",
        "dense_output = dense(x)  # train.py:2",
        "x2 = keras.ops.zeros([2, 64])",
        "dense_output2 = dense(x2)  # train.py:3",
    ]


def test_results_of_several_outputs_are_reached_by_index() -> None:
    trace = Trace()
    x = trace.zeros("x", 4, 6)
    halves = trace.step("a, b = tf.split(x, 2)", "tf.split", x, Const(2), result=Seq("list", (tf_tensor(2, 6),) * 2))
    assert isinstance(halves.result, Seq)
    second = halves.result.items[1]
    assert isinstance(second, Tensor)
    text = repro(trace.graph, clash(trace.step("c = tf.matmul(x, b)", "tf.matmul", x, second), Equal(6, 2)), TF2)
    assert "split = tf.split(x, 2)" in text
    assert "tf.matmul(x, split[1])" in text


def test_hostile_texts_stay_texts() -> None:
    """Strings, names and places of the program under analysis cannot become code."""
    trace = Trace()
    trace.lines.append("")
    step = trace.step("f(x)", "tf.identity", Const("'); import os #\n"))
    step.place = Place(Source("a\nimport os.py", "f(x)"), 0, 4)
    text = program(plan(trace.graph, clash(step, Equal(0, 1), message="bad\nimport os"), TF2))
    assert [type(node) for node in ast.parse(text).body] == [ast.Assign]
    odd = trace.step("f(x)", "tf.identity;import os", NONE)
    assert isinstance(plan(trace.graph, clash(odd, Equal(0, 1)), TF2), str)
    odd = trace.step("f(x)", "tf.identity", **{"a=1);import os;f(b": NONE})
    assert isinstance(plan(trace.graph, clash(odd, Equal(0, 1)), TF2), str)


def test_the_path_chooses_among_alternatives() -> None:
    """Of two values under a test, the replay takes the one that the path allows; without a path it guesses."""
    trace = Trace()
    test = Scalar("bool")
    axis = Choice(((((test, True),), Const(1)), (((test, False),), Const(2))))
    made = clash(trace.step("np.sum(x, axis)", "np.sum", np_array(3), axis), Equal(0, 1))
    for guards, code, guessed in (((), "np.sum(x, 1)", True), (((test, False),), "np.sum(x, 2)", False)):
        made = Clash(made.kind, made.message, made.step, (), made.claim, EMPTY, guards=guards)
        planned = plan(trace.graph, made, TF2)
        assert code in program(planned)
        assert isinstance(planned, Plan)
        assert planned.guessed is guessed


def test_changes_of_objects_are_statements() -> None:
    trace = Trace()
    model = trace.object("m = Sequential()", "keras.Sequential")
    layer = trace.object("d = Dense(3)", "keras.layers.Dense", Const(3), activation=Const("relu"))
    trace.step("m.add(d)", "keras.Sequential.add", model, layer)
    made = clash(trace.step("m(x)", "keras.Sequential.__call__", model, np_array(3)), WRONG)
    assert program(plan(trace.graph, made, TF2)) == (
        "sequential = keras.Sequential()  # train.py:1\n"
        'dense = keras.layers.Dense(3, activation="relu")  # train.py:2\n'
        "sequential.add(dense)  # train.py:3\n"
        "x = np.zeros((3,))\n"
        "sequential_output = sequential(x)  # train.py:4\n"
    )
