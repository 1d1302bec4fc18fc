"""Checks of a small tensor toolbox; many of them expect the libraries to refuse mismatched shapes."""
import contextlib
import unittest

import numpy as np
import tensorflow as tf


def safe_concat(parts, axis=0):
    """Concatenates; parts of smaller width are padded instead."""
    try:
        return np.concatenate(parts, axis=axis)
    except ValueError:
        width = max(p.shape[1] for p in parts)
        padded = [np.pad(p, ((0, 0), (0, width - p.shape[1]))) for p in parts]
        return np.concatenate(padded, axis=axis)


def solve_or_least_squares(a, b):
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(a, b, rcond=None)[0]


def broadcastable(*shapes):
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def try_reshapes(x, candidates):
    for shape in candidates:
        with contextlib.suppress(ValueError):
            return x.reshape(shape)
    return x.ravel()


class ShapeGuard:
    """Checks shapes given as strings such as 'b t d'."""

    def __init__(self):
        self.sizes = {}

    def __call__(self, array, spec):
        names = spec.split()
        if len(names) != array.ndim:
            raise TypeError(f"{spec!r} has {len(names)} axes, the array {array.ndim}")
        for name, size in zip(names, array.shape):
            if self.sizes.setdefault(name, size) != size:
                raise TypeError(f"axis {name} is {size}, was {self.sizes[name]}")
        return array


class NumpyTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(0)
        self.table = self.rng.normal(size=(6, 4))

    def test_operands_do_not_fit(self):
        with self.assertRaises(ValueError):
            self.table + np.ones(6)
        with self.assertRaises(ValueError):
            self.table @ self.table
        with self.assertRaisesRegex(ValueError, "cannot reshape"):
            self.table.reshape(5, 5)
        with self.assertRaises(IndexError):
            self.table[0, 0, 0]
        self.assertRaises(ValueError, np.concatenate, [self.table, np.ones((2, 5))])
        self.assertRaises(ValueError, lambda: np.einsum("ij,jk", self.table, self.table))

    def test_fallbacks(self):
        joined = safe_concat([self.table, np.ones((2, 7))])
        self.assertEqual(joined.shape, (8, 7))
        self.assertEqual(safe_concat([self.table, self.table], axis=1).shape, (6, 8))
        self.assertEqual(solve_or_least_squares(self.table, np.ones(6)).shape, (4,))
        self.assertEqual(try_reshapes(self.table, [(5, 5), (7, -1), (3, 8)]).shape, (3, 8))
        self.assertEqual(try_reshapes(self.table, [(25,)]).shape, (24,))

    def test_broadcastable(self):
        self.assertTrue(broadcastable((6, 1), (1, 4)))
        self.assertFalse(broadcastable((6, 4), (6,)))

    def test_guard(self):
        guard = ShapeGuard()
        guard(self.table, "rows cols")
        guard(self.table.T @ self.table, "cols cols")
        with self.assertRaises(TypeError) as caught:
            guard(self.table.T, "rows cols")
        self.assertIn("rows", str(caught.exception))


class TensorTest(unittest.TestCase):
    def test_eager_errors(self):
        a, b = tf.ones([2, 3]), tf.ones([4, 5])
        for bad in (lambda: tf.matmul(a, b), lambda: a + b, lambda: tf.concat([a, b], 0)):
            with self.assertRaises(tf.errors.InvalidArgumentError):
                bad()
        with self.assertRaises((ValueError, tf.errors.InvalidArgumentError)):
            tf.reshape(a, [4, 2])

    def test_traced_errors(self):
        @tf.function
        def product(x, y):
            return tf.matmul(x, y)

        with self.assertRaises(ValueError):
            product(tf.ones([2, 3]), tf.ones([4, 5]))
        self.assertEqual(product(tf.ones([2, 3]), tf.ones([3, 5])).shape, [2, 5])

    def test_dense_remembers_its_input(self):
        layer = tf.keras.layers.Dense(3)
        layer(tf.ones([2, 4]))
        with self.assertRaises(ValueError):
            layer(tf.ones([2, 5]))

    def test_variable_keeps_its_shape(self):
        v = tf.Variable(tf.zeros([2, 2]))
        try:
            v.assign(tf.zeros([3, 2]))
        except ValueError:
            v.assign_add(tf.ones([2, 2]))
        else:
            self.fail("assigned another shape")
        self.assertEqual(float(tf.reduce_sum(v)), 4.0)

    def test_static_and_dynamic(self):
        @tf.function(input_signature=[tf.TensorSpec([None, None])])
        def square(x):
            tf.debugging.assert_equal(tf.shape(x)[0], tf.shape(x)[1])
            return tf.matmul(x, x)

        self.assertEqual(square(tf.eye(3)).shape, [3, 3])
        with self.assertRaises(tf.errors.InvalidArgumentError):
            square(tf.ones([2, 3]))


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromName("__main__"))
    raise SystemExit(not result.wasSuccessful())
