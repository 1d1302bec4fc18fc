import numpy as np
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def power_spectrum(wave):
    return tf.abs(tf.signal.rfft(wave)) ** 2


time = np.linspace(0, 1, 256, endpoint=False)
wave = np.sin(2 * np.pi * 8 * time)
spectrum = power_spectrum(tf.constant(wave))
print(int(tf.argmax(spectrum)))
