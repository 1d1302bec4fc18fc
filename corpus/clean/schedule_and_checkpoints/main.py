"""A run that can be resumed: own schedules in the graph, checkpoints, callbacks that read values between the steps."""
import os
import tempfile

import keras
import numpy as np
import tensorflow as tf


class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warm, shape="cosine"):
        self.peak, self.warm, self.shape = peak, warm, shape

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        rising = self.peak * step / self.warm
        if self.shape == "cosine":
            falling = self.peak * 0.5 * (1.0 + tf.cos(np.pi * tf.minimum(step / 100.0, 1.0)))
        else:
            falling = self.peak * tf.math.rsqrt(tf.maximum(step, 1.0) / self.warm)
        return tf.where(step < self.warm, rising, falling)

    def get_config(self):
        return {"peak": self.peak, "warm": self.warm, "shape": self.shape}


class Journal(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.rates = []

    def on_train_batch_end(self, batch, logs=None):
        self.rates.append(float(self.model.optimizer.learning_rate.numpy()))
        if len(self.rates) > 3 and np.isnan(logs["loss"]):
            self.model.stop_training = True


def main():
    keras.utils.set_random_seed(3)
    x = np.random.default_rng(3).normal(size=(64, 3)).astype("float32")
    y = x @ np.ones((3, 1), "float32")
    for shape in ("cosine", "root"):
        model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
        model.compile(keras.optimizers.Adam(WarmUp(0.1, 5.0, shape)), "mse")
        journal = Journal()
        model.fit(x, y, batch_size=16, epochs=2, verbose=0, callbacks=[journal])
        count = tf.Variable(0, dtype=tf.int64)
        saved = tf.train.Checkpoint(count=count, weights=[tf.Variable(weight) for weight in model.get_weights()])
        with tempfile.TemporaryDirectory() as folder:
            path = saved.write(os.path.join(folder, "run"))
            count.assign(7)
            saved.read(path).assert_consumed()
        print(shape, [round(rate, 3) for rate in journal.rates], int(count))


main()
