import tensorflow as tf

SIZE = 6
SHIPS = [(0, 1), (2, 3), (4, 4), (5, 0)]


def empty_board(size):
    return tf.zeros([size, size], tf.int32)


def place(board, cells):
    """Marks each cell with the number of its ship."""
    indices = tf.constant(cells)
    numbers = tf.range(1, len(cells) + 1)
    return tf.tensor_scatter_nd_update(board, indices, numbers)


def neighbours(board):
    occupied = tf.cast(board > 0, tf.float32)[tf.newaxis, :, :, tf.newaxis]
    kernel = tf.ones([3, 3, 1, 1])
    counts = tf.nn.conv2d(occupied, kernel, strides=1, padding="SAME")
    return tf.cast(counts[0, :, :, 0] - occupied[0, :, :, 0], tf.int32)


class Game:
    def __init__(self, size, ships):
        self.board = place(empty_board(size), ships)
        self.shots = tf.Variable(tf.zeros([size, size], tf.bool))

    def shoot(self, row, column):
        self.shots[row, column].assign(True)
        return int(self.board[row, column])

    def left(self):
        hidden = tf.logical_and(self.board > 0, tf.logical_not(self.shots))
        return int(tf.reduce_sum(tf.cast(hidden, tf.int32)))


game = Game(SIZE, SHIPS)
print(neighbours(game.board).numpy())
for row, column in [(0, 0), (0, 1), (2, 3)]:
    print("shot at", row, column, "hit", game.shoot(row, column), "left", game.left())
