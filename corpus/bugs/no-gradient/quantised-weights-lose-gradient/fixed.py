import tensorflow as tf
from tensorflow import keras


class QuantDense(tf.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([n_in, n_out]))

    def __call__(self, x):
        levels = tf.round(self.w * 8.0) / 8.0
        return x @ (self.w + tf.stop_gradient(levels - self.w))


layer = QuantDense(5, 2)
optimizer = keras.optimizers.SGD(0.1)
x = tf.random.normal([12, 5])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(layer(x) - 1.0))
grads = tape.gradient(loss, layer.trainable_variables)
optimizer.apply_gradients(zip(grads, layer.trainable_variables))
print(float(loss))
