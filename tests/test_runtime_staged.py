"""Replays of faults of staging: excerpts of programs on the real library, and what they observe."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph
from shapecheck.findings import Confirmation, Frame
from shapecheck.models.lang.context import Target
from shapecheck.rules.rule import all_rules
from shapecheck.runtime.replay.plan import Plan, plan
from shapecheck.runtime.replay.supervise import Pool
from shapecheck.source import Place, Source
from tests.support.clashes import clash_of

pytestmark = pytest.mark.slow

TF2 = Target(tensorflow=2)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as made:
        yield made


def program(text: str) -> str:
    return "import numpy as np\nimport tensorflow as tf\n" + textwrap.dedent(text)


def confirmed(pool: Pool, graph: Graph, clash: Clash) -> Confirmation:
    made = plan(graph, clash, TF2)
    assert isinstance(made, Plan), made
    return pool.confirm(made)


def moved(clash: Clash, text: str) -> Clash:
    """Return the clash as if another program, which has the same pieces of text, had it."""
    source = Source(clash.step.place.filename, text)

    def there(place: Place) -> Place:
        start = text.index(place.text)
        return Place(source, start, start + len(place.text))

    frames = tuple(Frame(there(frame.place), frame.function) for frame in clash.step.frames)
    return replace(clash, step=replace(clash.step, place=there(clash.step.place), frames=frames))


# Each fault with the repair that removes it.
FAULTS = {
    "branches-disagree": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = x
            return y

        f(tf.ones([2]))
        """,
        ("    if tf", "    y = -x\n    if tf"),
        "ValueError",
        "'y' must also be initialized in the else branch",
    ),
    "loop-shape-changes": (
        """
        @tf.function
        def f(x):
            for _ in tf.range(3):
                x = tf.concat([x, x], 0)
            return x

        f(tf.ones([2]))
        """,
        ("tf.concat([x, x], 0)", "tf.concat([x], 0)"),
        "ValueError",
        "'x' has shape (2,) before the loop",
    ),
    "loop-type-changes": (
        """
        @tf.function
        def f(x):
            total = 0
            for row in x:
                total = total + tf.reduce_sum(row)
            return total

        f(tf.ones([2]))
        """,
        ("total = 0\n", "total = 0.0\n"),
        "TypeError",
        "does not match type int32",
    ),
    "loop-python-state": (
        """
        @tf.function
        def f(x):
            rows = []
            for row in x:
                rows.append(row)
            return tf.stack(rows)

        f(tf.ones([2, 3]))
        """,
        ("in x", "in [x]"),
        "InaccessibleTensorError",
        "out of scope",
    ),
    "symbolic-as-bool": (
        """
        @tf.function(autograph=False)
        def f(x):
            return x if tf.reduce_sum(x) > 0 else -x

        f(tf.ones([2]))
        """,
        ("(autograph=False)", "(autograph=True)"),
        "OperatorNotAllowedInGraphError",
        "Python `bool`",
    ),
    "symbolic-iteration": (
        """
        @tf.function
        def f(x):
            return [row + 1 for row in x]

        f(tf.ones([2]))
        """,
        ("@tf.function", ""),
        "OperatorNotAllowedInGraphError",
        "Iterating over a symbolic",
    ),
    "symbolic-to-numpy": (
        """
        def f(x):
            return np.abs(x)

        list(tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(f))
        """,
        ("np.abs", "tf.abs or np.abs"),
        "NotImplementedError",
        "Cannot convert a symbolic",
    ),
    "symbolic-to-python": (
        """
        @tf.function
        def f(x):
            return x.numpy()

        f(tf.ones([]))
        """,
        ("@tf.function", ""),
        "AttributeError",
        "'SymbolicTensor' object has no attribute 'numpy'",
    ),
    "state-created-when-traced": (
        """
        @tf.function
        def f(x):
            return tf.Variable(1.0) + x

        f(tf.ones([2]))
        f(tf.ones([3]))
        """,
        ("@tf.function", ""),
        "ValueError",
        "singleton tf.Variables",
    ),
    "leaked-symbolic": (
        """
        kept = []

        @tf.function
        def f(x):
            kept.append(x)
            return x

        f(tf.ones([2]))
        total = kept[0] + 1.0
        """,
        ("@tf.function", ""),
        "TypeError",
        "out of scope",
    ),
    "signature-mismatch": (
        """
        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def f(x):
            return x

        f(tf.ones([2, 4]))
        """,
        ("[None, 3]", "[None, 4]"),
        "TypeError",
        "Binding inputs to tf.function failed",
    ),
    "static-size-unknown": (
        """
        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def f(x):
            return tf.reshape(x, [x.shape[0] * 3])

        f(tf.ones([2, 3]))
        """,
        ("[None, 3]", "[2, 3]"),
        "TypeError",
        "NoneType",
    ),
    "declared-result": (
        """
        def f(x):
            return tf.cast(x, tf.int32)

        tf.map_fn(f, tf.ones([3]))
        """,
        ("return tf.cast(x, tf.int32)", "return x"),
        "InvalidArgumentError",
        "TensorArray dtype is float",
    ),
    "xla-unsupported": (
        """
        @tf.function(jit_compile=True)
        def f(x):
            return tf.strings.length(x)

        f(tf.constant(["a"]))
        """,
        ("(jit_compile=True)", ""),
        "InvalidArgumentError",
        "unsupported operations",
    ),
    "no-gradient": (
        """
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            y = x * x
        slope = 2 * tape.gradient(y, x)
        """,
        ("x = tf.constant(2.0)", "x = tf.Variable(2.0)"),
        "",
        "1 of 1 gradients are None",
    ),
    "retrace-python-value": (
        """
        @tf.function
        def f(x, rate):
            return x * rate

        for step in range(20):
            f(tf.ones([2]), 0.1 * step)
        """,
        ("@tf.function", "@tf.function(input_signature=[tf.TensorSpec([2]), tf.TensorSpec([])])"),
        "",
        "5 traces in 5 calls",
    ),
    "retrace-varying-shape": (
        """
        @tf.function
        def f(x):
            return x + 1

        for size in range(1, 20):
            f(tf.ones([size]))
        """,
        ("@tf.function", "@tf.function(reduce_retracing=True)"),
        "",
        "5 traces in 5 calls",
    ),
    "retrace-new-function": (
        """
        x = tf.ones([2])
        for step in range(20):
            f = tf.function(lambda x: x + 1)
            f(x)
        """,
        ("tf.function(lambda x: x + 1)", "f if step else tf.function(lambda x: x + 1)"),
        "",
        "5 traces of functions made anew",
    ),
    "unrolled-loop": (
        """
        @tf.function
        def f(x):
            for _ in range(300):
                x = tf.tanh(x) + 0.1
            return x

        f(tf.ones([2]))
        """,
        ("@tf.function", ""),
        "",
        "300 iterations are copied into graphs",
    ),
    "trace-time-value": (
        """
        @tf.function
        def f(x):
            return x + np.random.normal()

        for _ in range(4):
            f(tf.ones([2]))
        """,
        ("@tf.function", ""),
        "",
        "Python executes it in 1 of 4 calls",
    ),
    "untracked-state": (
        """
        class Scale(tf.Module):
            def __init__(self):
                super().__init__()
                self.rows = 3

            @tf.function(input_signature=[tf.TensorSpec([None, 2])])
            def f(self, x):
                return x * factor

        factor = tf.Variable([1.0, 2.0])
        scale = Scale()
        tf.saved_model.save(scale, "scale")
        """,
        ("scale = Scale()", "scale = Scale(); scale.factor = factor"),
        "AssertionError",
        "untracked",
    ),
    "summed-gradient": (
        """
        weights = tf.Variable(tf.ones([4, 1]))
        with tf.GradientTape() as tape:
            loss = tf.square(tf.ones([32, 4]) @ weights)
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        """,
        ("tf.square(tf.ones([32, 4]) @ weights)", "tf.reduce_mean(tf.square(tf.ones([32, 4]) @ weights))"),
        "",
        "the gradients of 32 numbers are added",
    ),
    "trace-time-effect": (
        """
        seen = {"calls": 0}

        @tf.function
        def f(x):
            seen["calls"] += 1
            return x

        for _ in range(4):
            f(tf.ones([2]))
        print(seen["calls"])
        """,
        ("@tf.function", ""),
        "",
        "Python executes it in 1 of 4 calls",
    ),
}


@pytest.mark.parametrize("rule", FAULTS)
def test_a_fault_is_confirmed_and_its_repair_is_not(pool: Pool, tmp_path: Path, rule: str) -> None:
    text, (old, new), error, words = FAULTS[rule]
    faulty = program(text)
    graph, clash = clash_of(faulty, tmp_path, rule)
    shown = confirmed(pool, graph, clash)
    assert (shown.status, shown.error) == ("confirmed", error), shown
    assert words in shown.text
    repaired = faulty.replace(old, new)
    assert repaired != faulty
    assert confirmed(pool, graph, moved(clash, repaired)).status in ("refuted", "not-reproducible")


def test_every_rule_of_staging_has_a_fault() -> None:
    """The severity of a rule does not matter: what is only slow is confirmed by a count."""
    assert {rule.name for rule in all_rules() if rule.code.startswith("SHP4")} == FAULTS.keys()


def test_another_error_confirms_nothing(pool: Pool, tmp_path: Path) -> None:
    """Neither an error with other words, nor one with the same words in another function."""
    text = program(FAULTS["symbolic-as-bool"][0])
    graph, clash = clash_of(text, tmp_path, "symbolic-as-bool")
    eager = text.replace("@tf.function(autograph=False)", "")
    other = eager.replace("def f(x):", "def g(x):\n    return 1 if x > 0 else 2\n\ndef f(x):\n    h(x[0])")
    for changed in (
        eager.replace("def f(x):", "def f(x):\n    tf.reshape(x, [7])"),
        other.replace("f(tf.ones", "h = tf.function(g, autograph=False)\nf(tf.ones"),
    ):
        said = confirmed(pool, graph, moved(clash, changed))
        assert said.status in ("refuted", "not-reproducible"), said


def test_an_uncalled_function_is_traced_by_its_signature(pool: Pool, tmp_path: Path) -> None:
    text = program("""
        class Model(tf.Module):
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(self, x):
                return np.abs(x)
    """)
    graph, clash = clash_of(text, tmp_path, "symbolic-to-numpy")
    made = plan(graph, clash, TF2)
    assert isinstance(made, Plan)
    assert made.program.endswith("Model().f.get_concrete_function()\n")
    assert pool.confirm(made).status == "confirmed"


def test_a_program_with_parts_left_out_refutes_nothing(pool: Pool, tmp_path: Path) -> None:
    """What reads a file is replaced by an array of its shape, which may behave in another way."""
    text = program("""
        @tf.function
        def f(x):
            return np.abs(x)

        (images, _), _ = tf.keras.datasets.mnist.load_data()
        f(tf.constant(images[:3]))
    """)
    graph, clash = clash_of(text, tmp_path, "symbolic-to-numpy")
    assert confirmed(pool, graph, clash).status == "confirmed"
    said = confirmed(pool, graph, moved(clash, text.replace("@tf.function", "#tf.function")))
    assert (said.status, said.text) == (
        "not-reproducible",
        "the replay, which may take another path, shows no error",
    )


def test_a_path_that_may_not_be_taken_refutes_nothing(tmp_path: Path) -> None:
    graph, clash = clash_of(program(FAULTS["symbolic-to-numpy"][0]), tmp_path, "symbolic-to-numpy")
    made = [plan(graph, each, TF2) for each in (clash, replace(clash, tolerated=True))]
    assert [each.guessed for each in made if isinstance(each, Plan)] == [False, True]


def test_programs_for_tensorflow_1_keep_its_meaning(pool: Pool, tmp_path: Path) -> None:
    text = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 3])\nif tf.reduce_sum(x) > 0:\n    y = x\n"
    graph, clash = clash_of(text, tmp_path, "symbolic-as-bool")
    made = plan(graph, clash, Target(tensorflow=1, keras=2))
    assert isinstance(made, Plan)
    assert "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()" in made.program
    assert pool.confirm(made).status == "confirmed"


def test_a_variable_keeps_its_declared_shape(pool: Pool, tmp_path: Path) -> None:
    text = program("v = tf.Variable(tf.zeros([2, 4]), shape=[None, 4])\nv.assign(tf.zeros([3, 5]))\n")
    graph, clash = clash_of(text, tmp_path, "set-shape-conflict")
    made = plan(graph, clash, TF2)
    assert isinstance(made, Plan)
    assert "shape=[None, 4]" in made.program
    assert pool.confirm(made).status == "confirmed"
    harmless = replace(made, program=made.program.replace("[3, 5]", "[3, 4]"), computed=None)
    assert pool.confirm(harmless).status == "refuted"
    assert pool.confirm(replace(harmless, computed=made)).status == "confirmed"  # computed as the program does it


@pytest.mark.parametrize(
    ("text", "rule", "repair", "said"),
    [
        (
            "from scipy.optimize import minimize\nprint(minimize(lambda x: (x - 1.0) ** 2, np.zeros(3)).x)\n",
            "element-count",
            ("(x - 1.0) ** 2", "((x - 1.0) ** 2).sum()"),
            "scalar",
        ),
        (
            "tf.compat.v1.disable_eager_execution()\n"
            "with tf.compat.v1.variable_scope('a', reuse=tf.compat.v1.AUTO_REUSE):\n"
            "    tf.compat.v1.get_variable('w', [2, 3])\n    tf.compat.v1.get_variable('w', [2, 4])\n",
            "set-shape-conflict",
            ("[2, 4]", "[2, 3]"),
            "specified shape (2, 4) and found shape (2, 3)",
        ),
    ],
    ids=["function", "scope"],
)
def test_what_cannot_be_written_anew_is_an_excerpt(
    pool: Pool, tmp_path: Path, text: str, rule: str, repair: tuple[str, str], said: str
) -> None:
    graph, clash = clash_of(program(text), tmp_path, rule)
    verdict = confirmed(pool, graph, clash)
    assert (verdict.status, said in verdict.text) == ("confirmed", True)
    made = plan(graph, clash, TF2)
    assert isinstance(made, Plan)
    assert pool.confirm(replace(made, program=made.program.replace(*repair))).status == "refuted"


def test_numpy_beside_keras_asks_for_no_tensorflow(tmp_path: Path) -> None:
    text = "import keras\nimport numpy as np\nx = keras.Input((3,))\nnp.abs(x)\n"
    made = plan(*clash_of(text, tmp_path, "symbolic-to-numpy"), TF2)
    assert isinstance(made, Plan)
    assert made.modules == ("keras",)
