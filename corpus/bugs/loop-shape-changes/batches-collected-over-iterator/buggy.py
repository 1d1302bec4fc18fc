import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])


@tf.function
def collect(dataset):
    collected = tf.zeros([0, 2])
    for batch in iter(dataset):
        collected = tf.concat([collected, model(batch)], axis=0)
    return collected


data = tf.data.Dataset.from_tensor_slices(tf.random.normal([10, 4])).batch(4)
print(collect(data).shape)
