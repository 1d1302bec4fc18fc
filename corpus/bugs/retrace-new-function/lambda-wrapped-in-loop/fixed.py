import tensorflow as tf

energy_of = tf.function(lambda x: tf.reduce_sum(tf.square(x - tf.roll(x, 1, axis=0))))
signal = tf.random.normal([128])
energies = []
for shift in range(12):
    energies.append(energy_of(tf.roll(signal, shift, axis=0)))
print(len(energies))
