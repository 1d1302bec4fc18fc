import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
pool = rng.normal(size=(200, 3)).astype("float32")
truth = (pool @ np.array([1.0, -2.0, 0.5]) > 0).astype("float32")
w = tf.Variable(tf.zeros([3]))


@tf.function
def fit_round(x, y):
    loss = tf.constant(0.0)
    for _ in tf.range(30):
        with tf.GradientTape() as tape:
            logits = tf.linalg.matvec(x, w)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        w.assign_sub(0.5 * tape.gradient(loss, w))
    return loss


labelled = list(range(10))
for round_number in range(7):
    loss = fit_round(pool[labelled], truth[labelled])
    margin = np.abs(pool @ w.numpy())
    margin[labelled] = np.inf
    labelled += list(np.argsort(margin)[:8])
    print(round_number, len(labelled), float(loss))
