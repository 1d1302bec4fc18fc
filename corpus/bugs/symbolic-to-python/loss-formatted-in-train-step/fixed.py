import numpy as np
import tensorflow as tf
from tensorflow import keras


class Denoiser(keras.Model):
    def __init__(self):
        super().__init__()
        self.encode = keras.layers.Dense(6, activation="relu")
        self.decode = keras.layers.Dense(10)

    def call(self, x):
        return self.decode(self.encode(x))

    def train_step(self, clean):
        noisy = clean + tf.random.normal(tf.shape(clean), stddev=0.1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(clean - self(noisy, training=True)))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        tf.print("batch loss:", loss)
        return {"loss": loss}


model = Denoiser()
model.compile(optimizer="adam")
model.fit(np.random.rand(20, 10).astype("float32"), epochs=1, verbose=0)
