import math

import tensorflow as tf

weights = tf.Variable(tf.zeros([5]))
points = tf.random.normal([200, 5])
answers = tf.linalg.matvec(points, [1.0, -2.0, 0.5, 3.0, 0.0])


def cosine(step, total, peak=0.2):
    return 0.5 * peak * (1.0 + math.cos(math.pi * step / total))


@tf.function
def descend(points, answers, *, rate):
    with tf.GradientTape() as tape:
        residual = tf.linalg.matvec(points, weights) - answers
        loss = tf.reduce_mean(residual**2)
    weights.assign_sub(rate * tape.gradient(loss, weights))
    return loss


total = 50
for step in range(total):
    loss = descend(points, answers, rate=cosine(step, total))
print(loss.numpy())
