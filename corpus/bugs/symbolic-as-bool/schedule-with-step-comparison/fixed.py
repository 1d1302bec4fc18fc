import numpy as np
import tensorflow as tf
from tensorflow import keras


class Warmup(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warmup):
        self.peak = peak
        self.warmup = warmup

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        rising = self.peak * step / self.warmup
        falling = self.peak * tf.sqrt(self.warmup / tf.maximum(step, 1.0))
        return tf.where(step < self.warmup, rising, falling)

    def get_config(self):
        return {"peak": self.peak, "warmup": self.warmup}


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(keras.optimizers.Adam(Warmup(0.01, 10.0)), loss="mse")
model.fit(np.random.rand(24, 4), np.random.rand(24, 1), batch_size=4, verbose=0)
