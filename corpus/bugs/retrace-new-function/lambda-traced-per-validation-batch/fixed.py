import tensorflow as tf
import keras

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3)])
accuracy = keras.metrics.SparseCategoricalAccuracy()


def validate(dataset):
    accuracy.reset_state()
    predict = tf.function(lambda batch: tf.nn.softmax(model(batch, training=False)))
    for x, y in dataset:
        accuracy.update_state(y, predict(x))
    return float(accuracy.result())


held_out = tf.data.Dataset.from_tensor_slices(
    (tf.random.normal([48, 8]), tf.random.uniform([48], maxval=3, dtype=tf.int32))
).batch(8)
print("validation accuracy", validate(held_out))
