import tensorflow as tf

weights = tf.Variable(tf.random.normal([6, 1], seed=4))
features = tf.random.normal([40, 6], seed=5)
targets = tf.reduce_sum(features, axis=1, keepdims=True)


@tf.function
def descend(x, y, rate):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((x @ weights - y) ** 2)
    slope = tape.gradient(error, weights)
    weights.assign_sub(rate * slope)
    return error


def fit(steps, rate=0.2, decay=0.9):
    history = []
    rate = tf.constant(rate)
    for _ in range(steps):
        history.append(float(descend(features, targets, rate)))
        rate *= decay
    return history


losses = fit(15)
print("first", losses[0], "last", losses[-1])
