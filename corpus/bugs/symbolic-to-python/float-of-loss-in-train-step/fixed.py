import keras
import numpy as np
import tensorflow as tf


class ContrastiveModel(keras.Model):
    def __init__(self, encoder, temperature=0.1):
        super().__init__()
        self.encoder = encoder
        self.temperature = temperature
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def train_step(self, views):
        first, second = views
        with tf.GradientTape() as tape:
            a = keras.ops.normalize(self.encoder(first, training=True))
            b = keras.ops.normalize(self.encoder(second, training=True))
            logits = tf.matmul(a, b, transpose_b=True) / self.temperature
            labels = tf.range(tf.shape(logits)[0])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        grads = tape.gradient(loss, self.encoder.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.encoder.trainable_variables))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


encoder = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(4)])
model = ContrastiveModel(encoder)
model.compile("adam")
views = np.random.rand(24, 16).astype("float32")
model.fit(views, views + 0.01, batch_size=8, verbose=0)
