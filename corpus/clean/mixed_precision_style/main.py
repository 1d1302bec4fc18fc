"""Pictures in half precision: casts where they belong, losses that are scaled by hand, recomputed activations."""
import numpy as np
import tensorflow as tf

SCALE = 128.0


class Network(tf.Module):
    def __init__(self, widths):
        super().__init__()
        pairs = zip(widths[:-1], widths[1:])
        self.weights = [tf.Variable(tf.random.stateless_normal(pair, pair) * 0.3) for pair in pairs]

    def layer(self, at):
        @tf.recompute_grad
        def run(x):
            x = x @ tf.cast(self.weights[at], tf.float16)
            return tf.nn.relu(x) if at < len(self.weights) - 1 else x

        return run

    @tf.function
    def __call__(self, x):
        x = tf.cast(x, tf.float16)
        for at in range(len(self.weights)):
            x = self.layer(at)(x)
        return tf.cast(x, tf.float32)


@tf.function
def train(network, x, classes):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(classes, network(x)))
        scaled = loss * SCALE
    slopes = [slope / SCALE for slope in tape.gradient(scaled, network.weights)]
    finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(slope)) for slope in slopes])
    if finite:
        for variable, slope in zip(network.weights, slopes):
            variable.assign_sub(0.2 * slope)
    else:
        tf.print("a step was left out")
    return loss, finite


def main():
    rng = np.random.default_rng(13)
    x = rng.normal(size=(64, 6)).astype("float32")
    classes = (x[:, 0] > 0).astype("int32") + (x[:, 1] > 0.5)
    network = Network([6, 12, 3])
    losses = [train(network, tf.constant(x), tf.constant(classes, tf.int32)) for _ in range(30)]
    print(float(losses[0][0]), "->", float(losses[-1][0]), all(bool(good) for _, good in losses))


main()
