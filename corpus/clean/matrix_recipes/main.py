"""Linear algebra compiled by XLA: static shapes, a loop of fixed length that is meant to be unrolled, pure Python sizes."""
import numpy as np
import tensorflow as tf


@tf.function(jit_compile=True)
def dominant(matrix, start):
    vector = start
    for _ in range(12):
        vector = tf.linalg.matvec(matrix, vector)
        vector = vector / tf.norm(vector)
    value = tf.tensordot(vector, tf.linalg.matvec(matrix, vector), 1)
    return vector, value


@tf.function(jit_compile=True)
def expm(matrix, terms):
    size = matrix.shape[0]
    total, term = tf.eye(size), tf.eye(size)
    order = tf.constant(1.0)
    while order <= terms:
        term = term @ matrix / order
        total += term
        order += 1.0
    return total


@tf.function(jit_compile=True)
def blocks(matrix):
    half = matrix.shape[-1] // 2
    parts = [matrix[:half, :half], matrix[:half, half:], matrix[half:, :half], matrix[half:, half:]]
    return tf.stack([tf.linalg.trace(part) for part in parts]), np.sqrt(half)


def main():
    rng = np.random.default_rng(12)
    raw = rng.normal(size=(6, 6)).astype("float32")
    matrix = tf.constant(raw @ raw.T / 6)
    _, value = dominant(matrix, tf.ones([6]))
    print(float(value), float(tf.linalg.eigvalsh(matrix)[-1]))
    print(np.allclose(expm(matrix, 14.0) @ expm(-matrix, 14.0), np.eye(6), atol=1e-2))
    traces, root = blocks(matrix)
    print(traces.shape, float(root))


main()
