"""Forecasts of traffic: a decoder fed with its own results, a mixture of Python and tensor conditions, `zip` of lists."""
import keras
import numpy as np
import tensorflow as tf


class Forecaster(keras.Model):
    def __init__(self, horizon, units=10, teacher=0.5):
        super().__init__()
        self.horizon, self.teacher = horizon, teacher
        self.encoder = keras.layers.GRU(units, return_state=True)
        self.cell = keras.layers.GRUCell(units)
        self.out = keras.layers.Dense(1)

    def call(self, inputs, training=False):
        past, future = inputs if isinstance(inputs, (tuple, list)) else (inputs, None)
        _, state = self.encoder(past)
        value, values = past[:, -1], []
        for step in range(self.horizon):
            output, states = self.cell(value, [state])
            state = states[0] if isinstance(states, (list, tuple)) else states
            guess = self.out(output)
            values.append(guess)
            if training and future is not None:
                use_truth = tf.random.uniform([tf.shape(past)[0], 1]) < self.teacher
                value = tf.where(use_truth, future[:, step], guess)
            else:
                value = guess
        return tf.stack(values, axis=1)


@tf.function
def errors(model, past, future):
    guesses = model(past, training=False)
    parts = zip(tf.unstack(guesses, axis=1), tf.unstack(future, axis=1))
    return [tf.reduce_mean(tf.abs(guess - truth)) for guess, truth in parts]


def main():
    keras.utils.set_random_seed(1)
    hours = np.arange(200, dtype="float32")
    flow = np.sin(hours / 4.0)[:, None] + 0.1 * np.random.default_rng(1).normal(size=(200, 1)).astype("float32")
    windows = np.stack([flow[at:at + 15] for at in range(180)])
    past, future = windows[:, :12], windows[:, 12:]
    model = Forecaster(horizon=3)
    optimizer = keras.optimizers.Adam(0.01)

    @tf.function
    def train(past, future):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model((past, future), training=True) - future))
        slopes, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
        optimizer.apply_gradients(zip(slopes, model.trainable_variables))
        return loss

    for _ in range(10):
        loss = train(tf.constant(past), tf.constant(future))
    print(float(loss), [round(float(error), 2) for error in errors(model, tf.constant(past), tf.constant(future))])


main()
