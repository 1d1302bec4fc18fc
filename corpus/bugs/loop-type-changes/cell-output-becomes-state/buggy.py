import tensorflow as tf
from tensorflow import keras

cell = keras.layers.GRUCell(6)
cell.build((None, 3))


@tf.function
def encode(sequence):
    state = tf.zeros([2, 6])
    for t in tf.range(tf.shape(sequence)[0]):
        state = cell(sequence[t], state)
    return state


print(encode(tf.random.normal([5, 2, 3])))
