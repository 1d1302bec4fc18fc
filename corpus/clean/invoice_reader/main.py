"""Reading of invoices: Python functions in a pipeline through `py_function`, with the shapes told afterwards."""
import numpy as np
import tensorflow as tf

LINES = ["4;12.50;books", "1;99.00;chair", "12;0.80;pencils", "3;7.25;paper", "2;45.10;lamp"]
KINDS = {"books": 0, "pencils": 1, "paper": 1, "chair": 2, "lamp": 2}


def parse(line):
    amount, price, kind = line.numpy().decode().split(";")
    features = np.array([float(amount), float(price), float(amount) * float(price)], np.float32)
    return features, np.int64(KINDS[kind])


def read(line):
    features, kind = tf.py_function(parse, inp=[line], Tout=(tf.float32, tf.int64))
    features.set_shape([3])
    kind.set_shape([])
    return features, kind


def noise(features):
    return features * np.random.default_rng(len(features)).uniform(0.9, 1.1, features.shape).astype("float32")


def disturbed(features, kind):
    changed = tf.numpy_function(noise, [features], tf.float32)
    return tf.ensure_shape(changed, [3]), tf.one_hot(kind, 3)


def main():
    lines = tf.data.Dataset.from_tensor_slices(LINES)
    table = lines.map(read).cache().map(disturbed).batch(2)
    weights = tf.Variable(tf.zeros([3, 3]))
    for features, kinds in table.repeat(3):
        with tf.GradientTape() as tape:
            scores = tf.math.log1p(features) @ weights
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(kinds, scores))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
    print(table.element_spec, float(loss))


main()
