import numpy as np
import tensorflow as tf

times = tf.linspace(0.0, 4.0, 30)
measured = tf.exp(-0.7 * times) * 2.0
decay = tf.Variable(0.2)
amplitude = tf.Variable(1.0)

for iteration in range(50):
    with tf.GradientTape() as tape:
        predicted = amplitude * tf.exp(-decay * times)
        residual = tf.reduce_mean(tf.square(predicted - measured))
    d_decay, d_amplitude = tape.gradient(residual, [decay, amplitude])
    decay.assign_sub(0.1 * d_decay)
    amplitude.assign_sub(0.1 * d_amplitude)
print(float(decay), float(amplitude))
