import keras
import numpy as np
import tensorflow as tf


class Robust(keras.Sequential):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x=x, y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        usable = tf.math.is_finite(loss)
        gradients = [tf.where(usable, g, tf.zeros_like(g)) for g in gradients]
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


model = Robust([keras.Input((3,)), keras.layers.Dense(5, activation="tanh"), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
x = np.random.rand(16, 3)
x[3] = np.inf
model.fit(x, np.random.rand(16, 1), batch_size=4, verbose=0)
