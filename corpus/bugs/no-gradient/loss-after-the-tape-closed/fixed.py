import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((12,))
outputs = keras.layers.Dense(4)(keras.layers.Dense(10, activation="relu")(inputs))
model = keras.Model(inputs, outputs)
optimizer = keras.optimizers.SGD(0.05)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
dataset = tf.data.Dataset.from_tensor_slices(
    (tf.random.normal([24, 12]), tf.random.uniform([24], maxval=4, dtype=tf.int64))
).batch(8)

for x, y in dataset:
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
print(float(loss))
