"""A graph in the old style: sessions, loops with invariants, conditions, gradients; all of it in one `tf.Graph`."""
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def collatz(start):
    def unfinished(number, path):
        return tf.not_equal(number, 1)

    def advance(number, path):
        halved = tf.equal(number % 2, 0)
        number = v1.cond(halved, lambda: number // 2, lambda: 3 * number + 1)
        return number, tf.concat([path, [number]], 0)

    shapes = (tf.TensorShape([]), tf.TensorShape([None]))
    _, path = v1.while_loop(unfinished, advance, (start, tf.expand_dims(start, 0)), shape_invariants=shapes)
    return path


def main():
    with tf.Graph().as_default():
        start = v1.placeholder(tf.int32, [])
        path = collatz(start)
        longest = v1.get_variable("longest", [], tf.int32, v1.zeros_initializer(), trainable=False)
        note = longest.assign(tf.maximum(longest, tf.size(path)))
        points = v1.placeholder(tf.float32, [None, 2])
        slope = v1.get_variable("slope", [2, 1], initializer=v1.ones_initializer())
        error = tf.reduce_mean(tf.square(tf.matmul(points, slope) - 1.0))
        train = v1.train.GradientDescentOptimizer(0.1).minimize(error)
        (curve,) = v1.gradients(error, [points])
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            for number in (6, 11, 27):
                print(number, len(session.run([path, note], {start: number})[0]))
            print("longest", session.run(longest))
            rows = np.random.default_rng(0).normal(size=(8, 2))
            for _ in range(5):
                session.run(train, {points: rows})
            print(session.run(curve, {points: rows[:3]}).shape, session.run(error, {points: rows}))


main()
