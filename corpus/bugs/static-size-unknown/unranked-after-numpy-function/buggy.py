import numpy as np
import tensorflow as tf


def spectrum(wave):
    return np.abs(np.fft.rfft(wave)).astype("float32")


def prepare(wave):
    power = tf.numpy_function(spectrum, [wave], tf.float32)
    return tf.reshape(power, [power.shape[0], 1])


waves = tf.data.Dataset.from_tensor_slices(tf.random.normal([4, 64])).map(prepare)
for power in waves:
    print(power.shape)
