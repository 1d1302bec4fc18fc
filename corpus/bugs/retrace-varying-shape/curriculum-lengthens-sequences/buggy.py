import tensorflow as tf
from tensorflow import keras


class Copier(keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = keras.layers.GRU(12, return_sequences=True)
        self.out = keras.layers.Dense(4, activation="sigmoid")

    def call(self, sequence):
        return self.out(self.rnn(sequence))


model = Copier()
model(tf.zeros([1, 1, 4]))
optimizer = keras.optimizers.Adam(1e-2)
optimizer.build(model.trainable_variables)


def train_step(sequence):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(keras.losses.binary_crossentropy(sequence, model(sequence)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


step = tf.function(train_step)
for length in range(2, 11):
    bits = tf.cast(tf.random.uniform([8, length, 4]) > 0.5, tf.float32)
    for _ in range(2):
        loss = step(bits)
    print(length, round(float(loss), 3))
