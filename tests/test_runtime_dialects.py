"""Replays are written for the library versions that the program targets."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Dict, Library, Seq, Tensor
from shapecheck.runtime.replay.plan import Plan, plan, repro
from shapecheck.shapes.shape import ranked
from shapecheck.shapes.size import Kind, fresh
from tests.test_runtime_plan import TF1, UNTOLD, WRONG, Trace, clash, matmul, np_array, program, tf_tensor


def test_names_of_tensorflow_1_make_a_program_for_it() -> None:
    """The target decides; without one, the names do."""
    trace = Trace()
    step = trace.step("tf.layers.dense(x, 3)", "tf.layers.dense", tf_tensor(), Const(3))
    for target in (TF1, UNTOLD):
        made = plan(trace.graph, clash(step, WRONG), target)
        assert isinstance(made, Plan)
        assert "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()" in made.program
        assert (made.legacy_keras, made.modes, made.fallback) == (True, ("plain",), None)
        assert made.program.split("\n")[made.fault_line - 1].startswith("dense = tf.layers.dense(x, 3)")


def test_an_untold_version_gives_a_second_form() -> None:
    trace = Trace()
    x, w = trace.zeros("x", 2, 3), trace.zeros("w", 4, 5)
    made = plan(trace.graph, matmul(trace, x, w), UNTOLD)
    assert isinstance(made, Plan)
    assert made.fallback is not None
    assert "compat.v1" not in made.program
    assert "compat.v1" in made.fallback.program


def test_a_session_is_fed_in_a_program_of_its_own() -> None:
    """The placeholder keeps its open sizes; the program's own session is not opened."""
    trace = Trace()
    shape = Seq("list", (NONE, Const(784)))
    entry = Tensor(ranked(fresh("B", Kind.DYNAMIC), 784), "float32", "tf", role="placeholder")
    entry = trace.tensor("x = tf.placeholder(...)", "tf.placeholder", Library("tf.float32"), shape, of=entry)
    session, images = trace.object("s = tf.Session()", "tf.Session"), np_array(5, 28)
    made = clash(
        trace.step("s.run()", "tf.Session.run", session, NONE, Dict(((entry, images),))), WRONG, kind=ClashKind.FEED
    )
    assert repro(trace.graph, made, UNTOLD) == (
        "import numpy as np\n"
        "import tensorflow.compat.v1 as tf\n"
        "\n"
        "tf.disable_v2_behavior()\n"
        "\n"
        "placeholder = tf.placeholder(tf.float32, [None, 784])  # train.py:1\n"
        "x = np.zeros((5, 28))\n"
        "with tf.Session() as session:\n"
        "    session.run(tf.identity(placeholder), feed_dict={placeholder: x})  # train.py:3\n"
    )
    short = plan(trace.graph, made, UNTOLD)
    assert "placeholder = tf.placeholder(shape=[None, 784], dtype=tf.float32)" in program(short)


def test_one_old_name_among_the_ancestors_is_enough() -> None:
    """A program that declares placeholders is written for TensorFlow 1 throughout."""
    trace = Trace()
    shape = Seq("list", (Const(3),))
    entry = trace.tensor("x = tf.placeholder(...)", "tf.placeholder", Library("tf.int32"), shape, of=tf_tensor(3))
    made = clash(trace.step("y = tf.matmul(x, x)", "tf.matmul", entry, entry), WRONG)
    assert "compat.v1" in repro(trace.graph, made, UNTOLD)
