import tensorflow as tf
from tensorflow import keras

cell = keras.layers.LSTMCell(4)
cell.build((None, 3))


@tf.function
def unroll(inputs):
    state = [tf.zeros([2, 4]), tf.zeros([2, 4])]
    steps = tf.shape(inputs)[0]
    outputs = tf.TensorArray(tf.float32, size=steps)
    for t in tf.range(steps):
        output, state = cell(inputs[t], state)
        outputs = outputs.write(t, output)
    return outputs.stack()


print(unroll(tf.random.normal([6, 2, 3])).shape)
