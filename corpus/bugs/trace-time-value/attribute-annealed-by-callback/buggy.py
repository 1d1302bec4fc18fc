import numpy as np
import tensorflow as tf
from tensorflow import keras


class BetaAutoencoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.beta = 0.0
        self.encoder = keras.layers.Dense(2)
        self.decoder = keras.layers.Dense(6)

    def call(self, x):
        return self.decoder(self.encoder(x))

    def train_step(self, x):
        with tf.GradientTape() as tape:
            code = self.encoder(x)
            loss = tf.reduce_mean((self.decoder(code) - x) ** 2)
            penalty = self.beta * (1.0 + tf.reduce_mean(code**2))
            total = loss + penalty
        grads = tape.gradient(total, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"penalty": penalty}


class Anneal(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.model.beta = epoch / 4.0


model = BetaAutoencoder()
model(np.zeros((1, 6), "float32"))
model.compile(optimizer="sgd")
history = model.fit(np.random.rand(16, 6).astype("float32"), epochs=4, verbose=0, callbacks=[Anneal()])
print("penalty is active:", history.history["penalty"][-1] > 0.5)
