import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(3)])
loss_object = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam()
losses = []


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_object(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(loss.numpy())


x, y = tf.random.normal([30, 4]), tf.random.uniform([30], maxval=3, dtype=tf.int32)
for epoch in range(3):
    train_step(x, y)
print(losses)
