import tensorflow as tf


def reconstruction(decoder, codes, originals):
    decoded = decoder(codes)
    return tf.reduce_mean(tf.keras.losses.MAE(originals, decoded))


decoder = tf.keras.layers.Dense(12)
spectra = tf.random.uniform([20, 12])
totals = tf.reduce_sum(spectra, axis=1, keepdims=True)
error = reconstruction(decoder, tf.random.normal([20, 3]), spectra)
print(error.numpy())
