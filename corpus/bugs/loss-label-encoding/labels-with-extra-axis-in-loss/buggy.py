import numpy as np
import tensorflow as tf

answers = np.random.randint(0, 7, size=(15, 1)).astype("float32")
w = tf.Variable(tf.random.normal([9, 7]))
inputs = tf.random.normal([15, 9])


def cost():
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(answers, inputs @ w))


with tf.GradientTape() as tape:
    value = cost()
print(value.numpy(), tape.gradient(value, w).shape)
