import tensorflow as tf

signal = tf.random.normal([128])
energies = []
for shift in range(12):
    energy = tf.function(lambda x: tf.reduce_sum(tf.square(x - tf.roll(x, 1, axis=0))))
    energies.append(energy(tf.roll(signal, shift, axis=0)))
print(len(energies))
