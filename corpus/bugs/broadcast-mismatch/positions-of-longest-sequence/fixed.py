import numpy as np
import tensorflow as tf
def angles(pos, i, d):
    return pos * (1 / np.power(10000, (2 * (i // 2)) / np.float32(d)))
def encoding(position, d):
    a = angles(np.arange(position)[:, np.newaxis], np.arange(d)[np.newaxis, :], d)
    a[:, 0::2] = np.sin(a[:, 0::2]); a[:, 1::2] = np.cos(a[:, 1::2])
    return tf.cast(a[np.newaxis, ...], tf.float32)
emb = tf.keras.layers.Embedding(100, 64)
x = emb(tf.zeros((2, 40), tf.int32))
x += encoding(50, 64)[:, :40, :]
