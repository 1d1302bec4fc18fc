import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Regressor(keras.Model):
    """Trains like `compile` and `fit` would, but with a penalty on large weights."""

    def __init__(self, units, penalty=1e-4):
        super().__init__()
        self.hidden = layers.Dense(units, activation="tanh")
        self.head = layers.Dense(1)
        self.penalty = penalty
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def call(self, inputs):
        return self.head(self.hidden(inputs))

    @property
    def metrics(self):
        return [self.loss_tracker]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = tf.reduce_mean(keras.losses.mean_squared_error(y, y_pred))
            loss += self.penalty * tf.add_n([tf.nn.l2_loss(w) for w in self.trainable_weights])
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


rng = np.random.default_rng(5)
x = rng.normal(size=(80, 6)).astype("float32")
y = (x[:, 0] * 2 - x[:, 3]).astype("float32")

dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(80)
model = Regressor(units=12)
model.compile(optimizer=keras.optimizers.Adam(0.01))
history = model.fit(dataset, epochs=2, verbose=0)
print(history.history["loss"])
