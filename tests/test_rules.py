"""Rules: their registration, findings from clashes, and messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import NONE, Const, Seq, Tensor, Value
from shapecheck.findings import Certainty, Finding, Frame, Severity
from shapecheck.models.lang.registry import lookup, lookup_operator
from shapecheck.rules.agreement import agreeing
from shapecheck.rules.expression_text import items, parse
from shapecheck.rules.rule import Rule, all_rules, find, judge, nearest
from shapecheck.shapes.facts import EMPTY, Equal, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.source import Place, Source

ROOT = Path(__file__).resolve().parent.parent
HEADINGS = ["What it does", "Why is this bad", "Example", "Use instead"]


class Program:
    """A program of one statement per line, and its dataflow graph."""

    def __init__(self, *lines: str) -> None:
        self.source = Source("train.py", "\n".join(lines))
        self.graph = Graph()

    def place(self, text: str) -> Place:
        start = self.source.text.index(text)
        return Place(self.source, start, start + len(text))

    def step(self, name: str, text: str, *args: Value, frames: tuple[Frame, ...] = (), **keywords: Value) -> Step:
        step = self.graph.add("op", name, args, keywords.items(), self.place(text), frames)
        step.model = lookup_operator(*name.split(".", 1)) or lookup(name)
        return step

    def tensor(self, text: str, *sizes: Size, name: str = "tf.zeros", args: tuple[Value, ...] = ()) -> Tensor:
        return Tensor(Shape(sizes), "float32", step=self.step(name, text, *args).id)

    def judge(self, *clashes: Clash) -> list[Finding]:
        return judge(clashes, self.graph)


def never(kind: ClashKind, message: str, step: Step, claim: Equal = Equal(1, 2)) -> Clash:
    operands = tuple(tensor for _, tensor in step.operands())
    return Clash(kind, message, step, operands, claim, EMPTY, Verdict.NEVER)


def noticed(kind: ClashKind, step: Step, message: str = "something") -> Clash:
    return Clash(kind, message, step, tuple(tensor for _, tensor in step.operands()), facts=EMPTY)


def product(*x: Size) -> tuple[Program, Clash]:
    """Return `tf.matmul(x, w)` where w has 64 rows and 10 columns."""
    program = Program("x = load()", "w = tf.zeros([64, 10])", "y = tf.matmul(x, w)")
    left, right = program.tensor("load()", *x), program.tensor("tf.zeros([64, 10])", 64, 10)
    step = program.step("tf.matmul", "tf.matmul(x, w)", left, right)
    return program, never(ClashKind.AXIS, f"a has {x[-1]} columns, b has 64 rows", step, Equal(x[-1], 64))


# --- what rules are --------------------------------------------------------------------------------------------------


def test_no_two_rules_judge_the_same_kind() -> None:
    kinds = [kind for rule in all_rules() for kind in rule.on]
    assert len(kinds) == len(set(kinds))


def test_categories_have_their_codes_and_severities() -> None:
    codes = {"mismatch": "SHP1", "patterns": "SHP2", "staging": "SHP4"}
    severities = {"mismatch": {Severity.ERROR}, "patterns": {Severity.WARNING, Severity.INFO}, "staging": set(Severity)}
    for rule in all_rules():
        assert rule.code.startswith(codes[rule.category])
        assert rule.severity in severities[rule.category]


def test_rules_that_are_off_by_default_say_so() -> None:
    assert all(("Off by default" in rule.page) == (rule.severity is Severity.INFO) for rule in all_rules())


def test_every_kind_of_clash_has_a_rule() -> None:
    assert {kind for rule in all_rules() for kind in rule.on} == set(ClashKind)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_page_is_short_and_shows_its_rule(rule: Rule) -> None:
    assert re.findall(r"^## (.+)$", rule.page, re.MULTILINE) == HEADINGS
    assert len(rule.page.splitlines()) <= 60
    example, instead = rule.page.split("## Example")[1].split("## Use instead")
    mark = f"# {rule.severity.value.removesuffix('ing')}"
    assert mark in example
    assert mark not in instead


def test_rules_are_found_by_code_and_name() -> None:
    by_code = find("shp101")
    assert by_code is not None
    assert by_code is find("axis-mismatch")
    assert find("axis") is None
    assert nearest("axis-missmatch") == "axis-mismatch"
    assert nearest("nothing like it") is None


# --- how operations are written --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "operation", "arguments"),
    [
        ("tf.matmul(x, w, name='y')", "tf.matmul", ("x", "w")),
        ("tf.matmul(\n    x,  # rows\n    w)", "tf.matmul", ("x", "w")),
        ("layers.Dense(4)(x)", "layers.Dense(4)", ("x",)),
        ("x @ w", "x @ w", ("x", "w")),
        ("total += x", "total += x", ("total", "x")),
        ("scores[:, 10]", "scores[:, 10]", ("scores", ":, 10")),
        ("f(x, *rest, y)", "f", ("x",)),
        ("keras.Sequential([layers.Dense(1), layers.Dense(2)]).fit(x)", "keras.Sequential(…).fit", ("x",)),
        ("height, width", "height, width", ()),
        ("print x", "print x", ()),
    ],
)
def test_written(text: str, operation: str, arguments: tuple[str, ...]) -> None:
    assert (parse(text).operation, parse(text).arguments) == (operation, arguments)


def test_keywords_and_items() -> None:
    assert dict(parse("f(x, axis=[1, 2], **more)").keywords) == {"axis": "[1, 2]"}
    assert items("[a, f(b, c)]") == ("a", "f(b, c)")
    assert items("{x: a, y: b}") == ("x", "a", "y", "b")
    assert items("parts") == ()


# --- findings --------------------------------------------------------------------------------------------------------


def test_finding_names_operation_operands_and_origins() -> None:
    program, clash = product(32, 128)
    (finding,) = program.judge(clash)
    assert (finding.code, finding.name, finding.category) == ("SHP101", "axis-mismatch", "mismatch")
    assert finding.message == "tf.matmul: x has 128 columns, w has 64 rows"
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVED)
    assert finding.step == clash.step.id
    x, w = finding.operands
    assert (x.text, x.shape, x.origin_text, str(x.origin)) == ("x", "(32, 128)", "load()", "train.py:1")
    assert (w.text, w.shape, str(w.origin)) == ("w", "(64, 10)", "train.py:2")


def test_operand_made_on_the_spot_has_no_origin() -> None:
    program = Program("y = tf.matmul(x, tf.zeros([64, 10]))")
    right = program.tensor("tf.zeros([64, 10])", 64, 10)
    step = program.step("tf.matmul", "tf.matmul(x, tf.zeros([64, 10]))", Tensor(Shape((32, 128))), right)
    (finding,) = program.judge(never(ClashKind.AXIS, "a has 128 columns, b has 64 rows", step))
    assert [(operand.text, operand.origin) for operand in finding.operands] == [
        ("x", None),
        ("tf.zeros([64, 10])", None),
    ]
    assert finding.message == "tf.matmul: x has 128 columns, tf.zeros([64, 10]) has 64 rows"


def test_operator_calls_its_operands_by_side_where_they_are_long() -> None:
    text = "some_function_of_mine(with_many, arguments) @ w"
    program = Program(text)
    step = program.step("np.@", text, Tensor(Shape((2, 3))), Tensor(Shape((4, 5))))
    (finding,) = program.judge(never(ClashKind.AXIS, "x1 has 3 columns, x2 has 4 rows", step))
    assert finding.message == "@: the left side has 3 columns, w has 4 rows"


def test_items_of_a_list_are_named() -> None:
    program = Program("z = tf.concat([x, y], 0)")
    parts = Seq("list", (Tensor(Shape((2, 3))), Tensor(Shape((2, 4)))))
    step = program.step("tf.concat", "tf.concat([x, y], 0)", parts, Const(0))
    (finding,) = program.judge(never(ClashKind.AXIS, "values[0] has 3 on axis 1, values[1] has 4", step))
    assert finding.message == "tf.concat: x has 3 on axis 1, y has 4"
    assert [operand.text for operand in finding.operands] == ["x", "y"]
    assert finding.help == "the parts fit along axis 1"


def test_first_line_fits_into_a_line() -> None:
    program, clash = product(32, 128)
    (finding,) = program.judge(replace(clash, message="a has " + "very " * 40 + "many columns"))
    assert 95 <= len(finding.message) <= 100
    assert finding.message.startswith("matmul: a has very")


def test_layer_inside_a_written_call_is_named_too() -> None:
    program = Program("model.add(layers.LSTM(8))")
    program.step("keras.Sequential.add", "model.add(layers.LSTM(8))", NONE, NONE)
    step = program.step("keras.layers.LSTM.__call__", "model.add(layers.LSTM(8))", NONE, Tensor(Shape((2, 8))))
    (finding,) = program.judge(never(ClashKind.RANK, "inputs has rank 2, not 3", step))
    assert finding.message == "model.add (LSTM): inputs has rank 2, not 3"
    assert [operand.text for operand in finding.operands] == [""]


def test_origin_looks_through_joined_branches() -> None:
    program = Program("a = tf.zeros([2])", "if c: pass", "y = f(x)")
    made = program.tensor("tf.zeros([2])", 2)
    join = program.graph.add("phi", "phi", [made], [], program.place("if c"), ())
    step = program.step("tf.abs", "f(x)", replace(made, step=join.id))
    (finding,) = program.judge(never(ClashKind.RANK, "x has rank 1", step))
    assert finding.operands[0].origin_text == "tf.zeros([2])"


def test_tolerated_clash_is_only_told() -> None:
    program, clash = product(32, 128)
    (finding,) = program.judge(replace(clash, tolerated=True))
    assert finding.severity is Severity.INFO


def test_what_is_not_proved_is_no_error() -> None:
    program, clash = product(32, 128)
    (finding,) = program.judge(replace(clash, verdict=Verdict.MAYBE))
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.WITNESS)


def test_witness_gives_the_named_sizes() -> None:
    batch = fresh("B", Kind.DYNAMIC, low=1)
    program, clash = product(batch, 128)
    (finding,) = program.judge(clash)
    assert set(finding.witness) == {"B"}
    assert finding.witness["B"] >= 1


def test_guards_that_can_be_said_are() -> None:
    program, clash = product(32, 128)
    guards = ((("==", Const(3), Const(4)), False), (Const(True), True))
    (finding,) = program.judge(replace(clash, guards=guards))
    assert finding.guards == ("3 != 4",)


def test_one_finding_per_place_by_the_shortest_way() -> None:
    program = Program("y = tf.matmul(x, w)", "f(1)", "g(2)")
    far = (Frame(program.place("g(2)"), "g"), Frame(program.place("f(1)"), "f"))
    ways: Sequence[tuple[Frame, ...]] = (far, far[1:], far)
    x = Tensor(Shape((2, 3)))
    steps = [program.step("tf.matmul", "tf.matmul(x, w)", x, x, frames=frames) for frames in ways]
    (finding,) = program.judge(*(never(ClashKind.AXIS, "a has 3 columns, b has 2 rows", step) for step in steps))
    assert finding.call_path == far[1:]


def test_error_is_preferred_to_a_tolerated_one() -> None:
    program, clash = product(32, 128)
    again = program.step("tf.matmul", "tf.matmul(x, w)", *clash.step.args, frames=(Frame(clash.step.place, "f"),))
    (finding,) = program.judge(replace(clash, tolerated=True), replace(clash, step=again))
    assert finding.severity is Severity.ERROR


def test_first_of_several_clashes_of_a_step_counts() -> None:
    program, clash = product(32, 128)
    findings = program.judge(replace(clash, kind=ClashKind.RANK, message="a has rank 2"), clash)
    assert [finding.name for finding in findings] == ["rank-mismatch"]


# --- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        ((32, 10), "transpose_b=True makes the sizes agree"),
        ((64, 5), "transpose_a=True makes the sizes agree"),
        ((64, 10), "the sizes agree if one side is transposed"),
        ((32, 128), ""),
    ],
)
def test_transposition_is_advised_where_it_fits(x: tuple[int, int], expected: str) -> None:
    program, clash = product(*x)
    assert program.judge(clash)[0].help == expected


def test_new_axis_is_advised_where_only_one_fits() -> None:
    program = Program("y = x - v")
    for sizes, expected in (((4, 5), "np.expand_dims(v, 1) has shape (4, 1), which broadcasts"), ((5, 6), "")):
        x, v = Tensor(Shape(sizes), library="np"), Tensor(Shape((4,)), library="np")
        step = program.step("np.-", "x - v", x, v)
        (finding,) = program.judge(never(ClashKind.BROADCAST, "x (4, 5) and y (4,) do not broadcast", step))
        assert finding.help == expected


def test_open_rows_are_advised_where_the_rest_fills() -> None:
    program = Program("y = tf.reshape(x, [32, 784])")
    for count, expected in ((7840, "shape (-1, 784) fits: 10 rows"), (7841, "")):
        target = Seq("list", (Const(32), Const(784)))
        step = program.step("tf.reshape", "tf.reshape(x, [32, 784])", Tensor(Shape((count,)), step=1), target)
        (finding,) = program.judge(never(ClashKind.ELEMENTS, "too few", step))
        assert finding.help == expected


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("x has 1 columns, w has 2 rows", "x has 1 column, w has 2 rows"),
        ("2 arrays are expected, 1 are given", "2 arrays are expected, 1 is given"),
        ("x[0]: 1 indices for x with 1 axes", "x[0]: 1 index for x with 1 axis"),
        ("there are 1 loop variables, the body returns 3", "there is 1 loop variable, the body returns 3"),
        ("row has n elements, b has n + 1 rows and 2 * 1 rows", "row has n elements, b has n + 1 rows and 2 * 1 rows"),
        ("x has 21 columns, 0.1 rows, x1 rows", "x has 21 columns, 0.1 rows, x1 rows"),
    ],
)
def test_words_agree_with_numbers(said: str, spoken: str) -> None:
    assert agreeing(said) == spoken
