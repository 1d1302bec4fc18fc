import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

ROWS = 28
COLUMNS = 28
UNITS = 64
DIGITS = 10
BATCH = 96


def read_rows(images, kernel, offset):
    """Read the image row by row with a recurrent cell."""
    steps = tf.transpose(images, [1, 0, 2])
    steps = tf.reshape(steps, [-1, COLUMNS])
    steps = tf.split(steps, ROWS, 0)
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    outputs, _ = tf.nn.static_rnn(cell, steps, dtype=tf.float32)
    return tf.matmul(outputs[-1], kernel) + offset


def train(folder="/tmp/digits"):
    data = input_data.read_data_sets(folder, one_hot=False)

    images = tf.placeholder("float", [None, ROWS, COLUMNS])
    digits = tf.placeholder("float", [None, DIGITS])
    kernel = tf.Variable(tf.random_normal([UNITS, DIGITS]))
    offset = tf.Variable(tf.random_normal([DIGITS]))
    logits = read_rows(images, kernel, offset)

    loss = tf.reduce_mean(
        tf.nn.softmax_cross_entropy_with_logits(labels=digits, logits=logits))
    update = tf.train.AdamOptimizer(learning_rate=0.002).minimize(loss)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        seen = 0
        while seen < 5000:
            xs, ys = data.train.next_batch(BATCH)
            xs = xs.reshape((BATCH, ROWS, COLUMNS))
            sess.run(update, feed_dict={images: xs, digits: ys})
            seen += BATCH


if __name__ == "__main__":
    train()
