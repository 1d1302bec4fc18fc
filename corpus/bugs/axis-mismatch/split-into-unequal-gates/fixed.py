import tensorflow as tf


class Cell(tf.Module):
    """A minimal LSTM cell."""

    def __init__(self, n_in, units):
        super().__init__()
        self.units = units
        self.kernel = tf.Variable(tf.random.normal([n_in + units, 4 * units], stddev=0.1))

    def __call__(self, x, state):
        h, c = state
        gates = tf.concat([x, h], axis=1) @ self.kernel
        i, f, o, g = tf.split(gates, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
        return h, (h, c)


units = 25
cell = Cell(10, units)
inputs = tf.random.normal([5, 12, 10])
state = (tf.zeros([5, units]), tf.zeros([5, units]))
for step in range(inputs.shape[1]):
    output, state = cell(inputs[:, step], state)
print(output.shape)
