"""Repairs of functions that are traced into a graph: the first one is what an author would do."""

from __future__ import annotations

import pytest

from tests.support.promises import edited
from tests.support.repairs import HEAD, findings, first_fix


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (
            "@tf.function\ndef f(x):\n    return np.mean(x)\n\n\nf(tf.ones([3]))\n",
            "np.mean",
            "tf.reduce_mean",
        ),
        (
            "@tf.function(input_signature=[tf.TensorSpec([None, 4])])\ndef f(x):\n    return x\n\n\nf(tf.ones([4]))\n",
            "f(tf.ones([4]))",
            "f(tf.ones([4])[tf.newaxis])",
        ),
        (
            "@tf.function\ndef f(n, v):\n    total = 0.0\n    for _ in tf.range(n):\n        total = total + v\n"
            "    return total\n\n\nf(tf.constant(3), tf.ones([2]))\n",
            "total = 0.0",
            "total = tf.zeros([2])",
        ),
        (
            "@tf.function\ndef f(x, y):\n    return x @ y\n\n\n"
            "for n in range(5, 15):\n    f(tf.ones([n, 4]), tf.ones([4, 2]))\n",
            "@tf.function\n",
            "@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32), tf.TensorSpec([4, 2], tf.float32)])\n",
        ),
        (
            "@tf.function(jit_compile=False)\ndef f(x, mode):\n    return x if mode else -x\n\n\n"
            "for n in range(5, 15):\n    f(tf.ones([n, 4]), True)\n",
            "jit_compile=False",
            "jit_compile=False, reduce_retracing=True",
        ),
        (
            "@tf.function\ndef f(x, rate):\n    return x * rate\n\n\n"
            "for n in range(30):\n    f(tf.ones([4]), 0.9**n)\n",
            "0.9**n)",
            "tf.constant(0.9**n))",
        ),
        (
            "@tf.function\ndef f(x):\n    for _ in range(500):\n        x = x * (1.0 - x)\n    return x\n\n\n"
            "f(tf.ones([4]))\n",
            "range(500)",
            "tf.range(500)",
        ),
        (
            "def grow(i, x):\n    return i + 1, tf.concat([x, x], 0)\n\n\n"
            "@tf.function\ndef run():\n"
            "    return tf.while_loop(lambda i, x: i < 3, grow, [tf.constant(0), tf.ones([2])])\n\n\nrun()\n",
            "tf.ones([2])])",
            "tf.ones([2])], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])",
        ),
        (
            "@tf.function\ndef f(x):\n    return tf.concat([*x], 0)\n\n\nprint(f(tf.ones([2, 3])))\n",
            "[*x]",
            "tf.unstack(x)",
        ),
        (
            "w = tf.Variable([1.0, 2.0])\nfor _ in range(3):\n    with tf.GradientTape() as tape:\n"
            "        loss = tf.reduce_sum(w * w)\n    w = w - 0.1 * tape.gradient(loss, w)\n",
            "w = w - 0.1 * tape.gradient(loss, w)",
            "w.assign_sub(0.1 * tape.gradient(loss, w))",
        ),
    ],
)
def test_first_fix(body: str, before: str, after: str) -> None:
    assert body.count(before) == 1
    assert first_fix(body) == body.replace(before, after)


def test_what_is_computed_after_a_tape_moves_into_it() -> None:
    body = (
        "w = tf.Variable(tf.ones([3]))\n"
        "with tf.GradientTape() as tape:\n    y = w * 2.0\n"
        "loss = tf.reduce_sum(y)\n"
        "keras.optimizers.SGD(0.1).apply_gradients([(tape.gradient(loss, w), w)])\n"
    )
    assert first_fix(body) == body.replace("loss = tf", "    loss = tf")


def test_an_object_is_made_before_the_function() -> None:
    body = (
        "w = tf.Variable(1.0)\n\n\n@tf.function\ndef step(x):\n    opt = keras.optimizers.SGD(0.1)\n"
        "    opt.apply_gradients([(x, w)])\n    return x\n\n\nstep(tf.constant(1.0))\nstep(tf.constant([1.0])[0])\n"
    )
    found = first_fix(body)
    line = "opt = keras.optimizers.SGD(0.1)\n"
    assert found in (None, body.replace(f"    {line}", "").replace("@tf", f"{line}\n\n@tf"))


def test_a_list_of_a_graph_loop_becomes_an_array() -> None:
    body = """@tf.function
def f(x):
    found = []
    for value in x:
        found.append(2.0 * value)
    return tf.stack(found)


f(tf.ones([3]))
"""
    fixed = first_fix(body)
    assert fixed is not None
    assert "found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)" in fixed
    assert "found = found.write(found.size(), 2.0 * value)" in fixed
    assert "return found.stack()" in fixed


def test_the_shape_of_what_python_returns_is_told() -> None:
    body = """def made(n):
    return np.zeros((16, 16, 3), "float32")


def picture(n):
    found = tf.numpy_function(made, [n], tf.float32)
    print(found.dtype)
    return tf.image.resize(found, [8, 8])


tf.data.Dataset.range(3).map(picture)
"""
    line = "    found = tf.numpy_function(made, [n], tf.float32)\n"
    assert first_fix(body) == body.replace(line, f"{line}    found.set_shape([16, 16, 3])\n")


def test_an_option_that_stands_alone_gets_its_opposite_value() -> None:
    body = (
        "build = tf.function(autograph=False)\n\n\n@build\ndef f(x):\n    if tf.reduce_sum(x) > 0.0:\n"
        "        x = -x\n    return x\n\n\nf(tf.ones([2]))\n"
    )
    (found,) = findings(HEAD + body, fixes=9)
    assert HEAD + body.replace("False", "True") in map(edited, found.fixes)
