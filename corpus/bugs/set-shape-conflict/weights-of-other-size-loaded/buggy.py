import tensorflow as tf
def build(units):
    return tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
a = build(16)
a.save_weights("w.weights.h5")
b = build(32)
b.load_weights("w.weights.h5")
