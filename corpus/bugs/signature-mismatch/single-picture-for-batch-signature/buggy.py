import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((20, 20, 1)), keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(10)])


@tf.function(input_signature=[tf.TensorSpec([None, 20, 20, 1], tf.float32)])
def classify(images):
    return tf.argmax(model(images), axis=-1)


digit = tf.random.uniform([20, 20, 1])
print(classify(digit).numpy())
