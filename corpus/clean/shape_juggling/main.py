"""A collection of legal shape tricks, each checked by an assertion."""
import functools
import math
import operator
from itertools import accumulate, chain, zip_longest

import numpy as np
import tensorflow as tf


def product(sizes):
    return functools.reduce(operator.mul, sizes, 1)


def depth_to_space_np(x, r):
    b, h, w, c = x.shape
    x = x.reshape(b, h, w, r, r, c // r ** 2)
    return x.transpose(0, 1, 3, 2, 4, 5).reshape(b, h * r, w * r, -1)


def patches(images, size):
    """(b, h, w, c) -> (b * tiles, size, size, c): tiles of all images in one batch."""
    b, h, w, c = images.shape
    tiles = tf.reshape(images, [b, h // size, size, w // size, size, c])
    tiles = tf.transpose(tiles, [0, 1, 3, 2, 4, 5])
    return tf.reshape(tiles, [-1, size, size, c])


def unpatches(tiles, shape):
    b, h, w, c = shape
    size = tiles.shape[1]
    grid = tf.reshape(tiles, [b, h // size, w // size, size, size, c])
    return tf.reshape(tf.transpose(grid, [0, 1, 3, 2, 4, 5]), shape)


def per_step(layer, x):
    """Applies a layer to every step of a sequence by folding time into the batch."""
    shape = tf.shape(x)
    flat = tf.reshape(x, tf.concat([[shape[0] * shape[1]], shape[2:]], axis=0))
    flat.set_shape([None] + x.shape[2:].as_list())
    y = layer(flat)
    return tf.reshape(y, tf.concat([shape[:2], tf.shape(y)[1:]], axis=0))


def align(*arrays):
    """Adds leading axes until all ranks agree."""
    rank = max(a.ndim for a in arrays)
    return [a[(None,) * (rank - a.ndim)] for a in arrays]


def common_shape(*shapes):
    sizes = zip_longest(*(reversed(s) for s in shapes), fillvalue=1)
    return tuple(max(s) for s in sizes)[::-1]


def flatten_tree(tree):
    """Nested lists and dicts of arrays become one vector."""
    if isinstance(tree, dict):
        return flatten_tree([tree[k] for k in sorted(tree)])
    if isinstance(tree, (list, tuple)):
        return np.concatenate([flatten_tree(t) for t in tree]) if tree else np.zeros(0)
    return np.ravel(tree)


def split_like(vector, shapes):
    ends = list(accumulate(product(s) for s in shapes))
    return [part.reshape(s) for part, s in zip(np.split(vector, ends[:-1]), shapes)]


def tree_sum(parts):
    """Adds a list pairwise by recursion."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return tree_sum(parts[:middle]) + tree_sum(parts[middle:])


class Stack:
    """Collects rows and grows by doubling."""

    def __init__(self, width):
        self._rows, self._count = np.empty((1, width)), 0

    def push(self, *rows):
        for row in rows:
            if self._count == len(self._rows):
                self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
            self._rows[self._count] = row
            self._count += 1
        return self

    def __array__(self, dtype=None, copy=None):
        return self._rows[: self._count].astype(dtype or float)


def numpy_tricks(rng):
    a = rng.normal(size=(5, 1, 4))
    b = rng.normal(size=(3, 1))
    assert (a + b).shape == common_shape(a.shape, b.shape) == (5, 3, 4)
    outer = np.arange(3)[:, None] * np.arange(4)[None, :]
    assert np.array_equal(outer, np.multiply.outer(np.arange(3), np.arange(4)))
    assert [x.ndim for x in align(np.zeros(3), np.zeros((2, 3)))] == [2, 2]
    window = np.lib.stride_tricks.sliding_window_view(np.arange(10), 4)[::2]
    assert window.shape == (4, 4) and window.sum(axis=0).shape == (4,)
    assert depth_to_space_np(rng.normal(size=(2, 3, 5, 12)), 2).shape == (2, 6, 10, 3)
    tree = {"w": [np.ones((3, 2)), np.ones(2)], "b": np.zeros(())}
    shapes = [(), (3, 2), (2,)]
    assert [p.shape for p in split_like(flatten_tree(tree), shapes)] == shapes
    table = np.zeros((4, 6))
    table[1] = 1
    table[:, ::3] += np.arange(4).reshape(-1, 1)
    table[[0, 2], 1:3] = [[5, 6]]
    table[table > 4] = 0
    mask = table.any(axis=1)
    assert table[mask].shape[1] == 6 and table[:, mask.argmax()].shape == (4,)
    assert np.asarray(Stack(2).push([1, 2], (3, 4)).push(np.ones(2))).shape == (3, 2)
    assert np.tensordot(a, rng.normal(size=(4, 5, 2)), axes=([2, 0], [0, 1])).shape == (1, 2)
    assert np.r_[np.zeros(2), 1, [3, 4]].size == 5 and np.c_[np.zeros(3), np.ones(3)].shape == (3, 2)
    assert np.take_along_axis(table, table.argsort(axis=1)[:, :2], axis=1).shape == (4, 2)
    assert np.where(rng.random((2, 1)) > 0.5, np.zeros(3), np.ones((2, 3))).shape == (2, 3)
    empty = np.zeros((0, 4))
    assert np.concatenate([empty, np.ones((2, 4))]).shape == (2, 4) and empty.sum() == 0


def tensor_tricks():
    images = tf.random.normal([2, 8, 12, 3])
    tiles = patches(images, 4)
    assert tiles.shape == (12, 4, 4, 3)
    assert np.allclose(unpatches(tiles, images.shape), images)
    video = tf.random.normal([3, 5, 8, 8, 2])
    conv = tf.keras.layers.Conv2D(4, 3)
    assert per_step(conv, video).shape == (3, 5, 6, 6, 4)
    assert per_step(tf.keras.layers.Flatten(), video[:, :2]).shape == (3, 2, 128)
    channels = tf.unstack(images, axis=-1)
    assert tree_sum(channels).shape == (2, 8, 12)
    merged = tf.concat([tf.stack(channels, -1), tf.zeros_like(images[..., :1])], axis=-1)
    assert merged.shape[-1] == 4
    rows = tf.gather(images, [1, 0, 1])
    assert rows.shape[0] == 3 and tf.boolean_mask(rows, [True, False, True]).shape[0] == 2
    parts = tf.split(merged, [1, 2, -1], axis=-1)
    assert [p.shape[-1] for p in parts] == [1, 2, 1]
    square = tf.linalg.matmul(tf.reshape(merged, [2, 96, 4]), tf.reshape(merged, [2, 96, 4]), transpose_a=True)
    assert square.shape == (2, 4, 4) and math.isfinite(float(tf.linalg.trace(square)[0]))
    padded = tf.pad(images, [[0, 0], [1, 1], [2, 0], [0, 0]], mode="REFLECT")
    assert padded.shape == (2, 10, 14, 3)
    total = tf.zeros([0, 3])
    for row in chain(tf.ones([2, 3]), tf.zeros([1, 3])):
        total = tf.concat([total, row[None]], axis=0)
    assert total.shape == (3, 3)


if __name__ == "__main__":
    numpy_tricks(np.random.default_rng(0))
    tensor_tricks()
    print("all good")
