import tensorflow as tf
from tensorflow import keras

VOCABULARY, END, LIMIT = 12, 2, 9
model = keras.Sequential([keras.Input((None,)), keras.layers.Embedding(VOCABULARY, 8), keras.layers.GRU(10), keras.layers.Dense(VOCABULARY)])


@tf.function
def generate(start):
    sequence = start
    last = tf.constant(1, tf.int64)
    while last != END and tf.shape(sequence)[1] < LIMIT:
        logits = model(sequence)
        last = tf.argmax(logits[0])
        sequence = tf.concat([sequence, [[last]]], axis=1)
    return sequence


print(generate(tf.ones([1, 1], tf.int64)).shape)
