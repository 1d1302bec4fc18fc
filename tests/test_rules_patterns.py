"""The rules for suspicious patterns: when they report and when they stay silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Seq, SliceValue, Tensor, Value
from shapecheck.findings import Certainty, Frame
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, fresh
from tests.test_rules import Program, noticed, product

N = fresh("n", Kind.FREE, low=2)
B, C = (fresh(name, Kind.DYNAMIC, low=1) for name in "BC")


@pytest.mark.parametrize(
    ("vector", "column", "warns"),
    [
        ((32,), (32, 1), True),
        ((N,), (N, 1), True),
        ((C,), (B, 1), True),
        ((N,), (B, 1), False),
        ((7,), (5, 1), False),
        ((1, 5), (5, 1), False),
        ((5, 6), (5, 6, 1), False),
    ],
)
def test_outer_broadcast_is_reported_for_paired_sizes(
    vector: tuple[Size, ...], column: tuple[Size, ...], warns: bool
) -> None:
    program = Program("y - p")
    step = program.step("tf.-", "y - p", program.tensor("y", *vector), program.tensor("p", *column))
    findings = program.judge(noticed(ClashKind.STRETCH_BOTH, step))
    assert [finding.name for finding in findings] == ["silent-outer-broadcast"] * warns
    assert all(finding.certainty is Certainty.PATTERN for finding in findings)


def test_outer_broadcast_says_what_comes_out() -> None:
    program = Program("p - y")
    step = program.step("tf.-", "p - y", program.tensor("p", 32, 1), program.tensor("y", 32))
    (finding,) = program.judge(noticed(ClashKind.STRETCH_BOTH, step))
    assert finding.message == "p - y: y (32,) and p (32, 1) give (32, 32)"
    assert finding.help == "tf.squeeze(p, 1) has shape (32,)"


@pytest.mark.parametrize(
    ("name", "args", "keywords"),
    [
        ("tf.expand_dims", (), {}),
        ("np.reshape", (), {}),
        ("np.ndarray.reshape", (), {}),
        ("keras.layers.Reshape.__call__", (), {}),
        ("tf.reduce_sum", (), {"keepdims": TRUE}),
        ("tf.[]", (NONE, Seq("tuple", (SliceValue(NONE, NONE, NONE), NONE))), {}),
    ],
)
def test_column_made_on_purpose_is_accepted(name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> None:
    program = Program("p; y; q", "y - q")
    made = program.step(name, "p", *args, **keywords)
    column = Tensor(Shape((32, 1)), step=made.id)
    scaled = program.tensor("q", 32, 1, name="tf.*", args=(column, Const(2.0)))
    step = program.step("tf.-", "y - q", program.tensor("y", 32), scaled)
    assert program.judge(noticed(ClashKind.STRETCH_BOTH, step)) == []


def test_slice_is_no_new_axis() -> None:
    program = Program("p; y", "y - p")
    part = Seq("tuple", (SliceValue(NONE, NONE, NONE), SliceValue(Const(0), Const(1), NONE)))
    column = program.tensor("p", 32, 1, name="tf.[]", args=(Tensor(Shape((32, 4))), part))
    step = program.step("tf.-", "y - p", program.tensor("y", 32), column)
    assert len(program.judge(noticed(ClashKind.STRETCH_BOTH, step))) == 1


@pytest.mark.parametrize("text", ["y - p[:, None]", "y - p[:, np.newaxis]", "y - f(p, keepdims=True)"])
def test_column_written_on_purpose_is_accepted(text: str) -> None:
    program = Program(text)
    step = program.step("np.-", text, Tensor(Shape((32,)), library="np"), Tensor(Shape((32, 1)), library="np"))
    assert program.judge(noticed(ClashKind.STRETCH_BOTH, step)) == []


@pytest.mark.parametrize(
    ("before", "after", "warns"),
    [
        ((B, 14, 14, 64), (4 * B, 7 * 7 * 64), True),
        ((B, 784), (B // 3, 28, 28, 3), True),
        ((B, 14, 14, 64), (4 * B, 7, 7, 64), True),
        ((B, 20, 64), (20 * B, 64), False),
        ((B, N, 64), (N * B, 64), False),
        ((B, 64), (B // 20, 20, 64), False),
        ((B, 14, 14, 18), (14 * 14 * 9 * B, 2), False),
        ((B, 14, 64), (896 * B,), False),
        ((B, N, 64), (N * B // 2, 128), False),
        ((64 * B, 2), (B, 4, 32), False),
    ],
)
def test_reshape_is_reported_where_it_cuts_across_axes(
    before: tuple[Size, ...], after: tuple[Size, ...], warns: bool
) -> None:
    program = Program("tf.reshape(x, shape)")
    step = program.step("tf.reshape", "tf.reshape(x, shape)", program.tensor("x", *before), NONE)
    step.result = Tensor(Shape(after), step=step.id)
    findings = program.judge(noticed(ClashKind.ROWS_CHANGED, step, "B rows become other ones"))
    assert [finding.name for finding in findings] == ["reshape-crosses-batch"] * warns


def test_size_1_counts_only_where_it_is_always_1() -> None:
    program = Program("tf.argmax(x, 1)", "f(a)", "f(b)")
    first = program.step("tf.argmax", "tf.argmax(x, 1)", Tensor(Shape((8, 1))), Const(1))
    clash = noticed(ClashKind.SIZE1_AXIS, first, "axis 1 of input has size 1")
    (finding,) = program.judge(clash)
    assert finding.message == "tf.argmax: axis 1 of x has size 1"
    program.step("tf.argmax", "tf.argmax(x, 1)", Tensor(Shape((8, 10))), Const(1))
    assert program.judge(clash) == []


@pytest.mark.parametrize(
    ("later", "warns"),
    [(Shape((7,)), True), (Shape((4, 3)), True)],
)
def test_table_that_grows_counts_as_it_is_at_first(later: Shape, warns: bool) -> None:
    program = Program("table = np.append(table, row)")
    step = program.step("np.append", "np.append(table, row)", Tensor(Shape((0, 3))), Tensor(Shape((1, 3))))
    program.step("np.append", "np.append(table, row)", Tensor(later), Tensor(Shape((1, 3))))
    assert [finding.name for finding in program.judge(noticed(ClashKind.APPEND_FLATTENED, step))] == [
        "append-flattens"
    ] * warns


def test_another_caller_may_flatten_a_vector() -> None:
    program = Program("table = np.append(table, row)", "f(1)")
    step = program.step("np.append", "np.append(table, row)", Tensor(Shape((4, 3))), Tensor(Shape((1, 3))))
    frames = (Frame(program.place("f(1)"), "f"),)
    program.step("np.append", "np.append(table, row)", Tensor(Shape((4,))), Tensor(Shape((1,))), frames=frames)
    assert program.judge(noticed(ClashKind.APPEND_FLATTENED, step)) == []


def test_flattened_for_a_reshape_is_meant() -> None:
    program = Program("a = np.append(a, b)", "np.reshape(c, (4, 10))")
    step = program.step("np.append", "np.append(a, b)", Tensor(Shape((2, 10))), Tensor(Shape((2, 10))))
    program.step("np.reshape", "np.reshape(c, (4, 10))", Tensor(Shape((40,)), step=step.id))
    assert program.judge(noticed(ClashKind.APPEND_FLATTENED, step)) == []


def test_replays_do_not_speak_against_a_pattern() -> None:
    program = Program("softmax(x)")
    clash = noticed(ClashKind.BATCH_SOFTMAX, program.step("tf.nn.softmax", "softmax(x)", Tensor(Shape((B, 3)))))
    again = program.step("tf.nn.softmax", "softmax(x)", Tensor(Shape((8, 3))))
    assert program.judge(clash) == []
    again.replayed = True
    assert len(program.judge(clash)) == 1


def test_errors_come_before_patterns() -> None:
    program, clash = product(32, 128)
    findings = program.judge(replace(noticed(ClashKind.BATCH_SOFTMAX, clash.step)), clash)
    assert [finding.name for finding in findings] == ["axis-mismatch"]
