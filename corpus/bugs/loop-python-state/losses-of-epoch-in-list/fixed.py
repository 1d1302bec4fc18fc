import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
optimizer.build(model.trainable_variables)


@tf.function
def run_epoch(dataset):
    total, batches = 0.0, 0.0
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(x, training=True) - y))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        total += loss
        batches += 1.0
    return total / batches


data = tf.data.Dataset.from_tensor_slices((tf.random.normal([12, 4]), tf.random.normal([12, 1]))).batch(4)
print(float(run_epoch(data)))
