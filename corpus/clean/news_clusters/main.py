"""Clusters of texts: ragged rows, sparse products, a loop until nothing changes, and NumPy before and after the graph."""
import numpy as np
import tensorflow as tf

TEXTS = [
    "the team won the final game", "the striker scored in the game", "the coach praised the team",
    "parliament passed the new law", "the minister defended the law", "voters elected a parliament",
]


def counts(texts):
    words = tf.strings.split(tf.constant(texts))
    vocabulary, _ = tf.unique(words.flat_values)
    table = {word.decode(): at for at, word in enumerate(vocabulary.numpy())}
    rows = [[table[word] for word in text.split()] for text in texts]
    ragged = tf.ragged.constant(rows)
    places = tf.stack([ragged.value_rowids(), tf.cast(ragged.flat_values, tf.int64)], axis=1)
    dense = tf.scatter_nd(places, tf.ones_like(ragged.flat_values, dtype=tf.float32), [len(texts), len(table)])
    idf = np.log(len(texts) / np.count_nonzero(dense.numpy(), axis=0))
    return tf.math.l2_normalize(dense * idf.astype("float32"), axis=1)


@tf.function
def cluster(rows, centres, most=20):
    labels = tf.zeros([tf.shape(rows)[0]], tf.int64)
    moved = tf.constant(True)
    turns = tf.constant(0)
    while tf.logical_and(moved, turns < most):
        distances = 1.0 - tf.matmul(rows, centres, transpose_b=True)
        found = tf.argmin(distances, axis=1)
        moved = tf.reduce_any(tf.not_equal(found, labels)) or turns == 0
        sums = tf.math.unsorted_segment_sum(rows, found, tf.shape(centres)[0])
        centres = tf.ensure_shape(tf.math.l2_normalize(sums + 1e-6, axis=1), centres.shape)
        labels = found
        turns += 1
    return labels, turns


def main():
    rows = counts(TEXTS)
    labels, turns = cluster(rows, tf.gather(rows, [0, 3]))
    sparse = tf.sparse.from_dense(rows)
    similar = tf.sparse.sparse_dense_matmul(sparse, rows, adjoint_b=True)
    print(labels.numpy(), int(turns), similar.shape, float(tf.reduce_max(similar - tf.eye(len(TEXTS)))))


main()
