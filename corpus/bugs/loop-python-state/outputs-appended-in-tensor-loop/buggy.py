import tensorflow as tf
from tensorflow import keras

cell = keras.layers.LSTMCell(4)
cell.build((None, 3))


@tf.function
def unroll(inputs):
    state = [tf.zeros([2, 4]), tf.zeros([2, 4])]
    outputs = []
    for t in tf.range(tf.shape(inputs)[0]):
        output, state = cell(inputs[t], state)
        outputs.append(output)
    return tf.stack(outputs)


print(unroll(tf.random.normal([6, 2, 3])).shape)
