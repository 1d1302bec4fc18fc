"""Random playouts of a board: recursion in plain Python around small traced functions, `tf.switch_case`, `tf.random`."""
import tensorflow as tf

SIZE = 5


@tf.function
def move(board, place, direction):
    row, column = place // SIZE, place % SIZE
    row, column = tf.switch_case(
        direction,
        branch_fns=[
            lambda: (tf.maximum(row - 1, 0), column),
            lambda: (tf.minimum(row + 1, SIZE - 1), column),
            lambda: (row, tf.maximum(column - 1, 0)),
            lambda: (row, tf.minimum(column + 1, SIZE - 1)),
        ],
    )
    there = row * SIZE + column
    return tf.tensor_scatter_nd_add(board, [[there]], [1]), there


@tf.function
def wander(place, steps, seed):
    board = tf.zeros([SIZE * SIZE], tf.int32)
    choices = tf.random.stateless_uniform([steps], seed=seed, maxval=4, dtype=tf.int32)
    for direction in choices:
        board, place = move(board, place, direction)
    return tf.reshape(board, [SIZE, SIZE])


def best(depth, value):
    if depth == 0:
        return value
    return max(best(depth - 1, value * 0.9), best(depth - 1, value + 1.0))


def main():
    visits = sum(wander(tf.constant(12), tf.constant(30), tf.constant([number, 1])) for number in range(4))
    print(visits.numpy(), best(3, 2.0))
    assert int(tf.reduce_sum(visits)) == 120


main()
