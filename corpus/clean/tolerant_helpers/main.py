"""Helpers for eager and for traced code: they ask for the stage, catch what only one of them allows, and format text."""
import numpy as np
import tensorflow as tf


def describe(tensor):
    if tf.executing_eagerly():
        return f"{tensor.shape} {np.round(tensor.numpy().mean(), 3)}"
    return f"{tensor.shape} {tensor.name}"


def value_or_none(tensor):
    try:
        return tensor.numpy()
    except (AttributeError, NotImplementedError):
        return None


def norm(tensor):
    known = tf.get_static_value(tensor)
    if known is not None:
        return tf.constant(np.linalg.norm(known), tensor.dtype)
    return tf.norm(tensor)


def length(tensor):
    if tensor.shape.rank is not None and tensor.shape[0] is not None:
        return tensor.shape[0]
    return tf.shape(tensor)[0]


@tf.function
def process(rows):
    label = describe(rows)
    assert "Tensor" not in label
    fixed = value_or_none(tf.constant([3.0, 4.0]))
    if fixed is None:
        fixed = np.array([3.0, 4.0])
    scale = norm(tf.constant([3.0, 4.0])) + float(fixed.sum())
    with tf.init_scope():
        limit = float(tf.constant(2.0).numpy())
    count = length(rows)
    if hasattr(rows, "numpy") and tf.executing_eagerly():
        print("never while it is traced:", rows.numpy())
    return rows / scale / tf.cast(count, rows.dtype) * limit


def main():
    rows = tf.reshape(tf.range(6.0), [3, 2])
    print(describe(rows), value_or_none(rows).shape, float(norm(rows)))
    print(describe(process(rows)), describe(process(rows[:2])))


main()
