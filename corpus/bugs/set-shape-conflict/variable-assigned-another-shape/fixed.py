import tensorflow as tf


class PowerIteration(tf.Module):
    def __init__(self, rows, cols):
        super().__init__()
        self.matrix = tf.Variable(tf.random.normal([rows, cols]))
        self.left = tf.Variable(tf.ones([rows, 1]))

    def step(self):
        right = tf.matmul(self.matrix, self.left, transpose_a=True)
        left = tf.matmul(self.matrix, right)
        self.left.assign(left / tf.norm(left))
        return tf.norm(left)


solver = PowerIteration(9, 5)
for _ in range(10):
    value = solver.step()
print("largest singular value", float(tf.sqrt(value)))
