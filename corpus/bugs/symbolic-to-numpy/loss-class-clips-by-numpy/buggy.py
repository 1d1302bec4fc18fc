import keras
import numpy as np
import tensorflow as tf


class FocalLoss(keras.losses.Loss):
    def __init__(self, gamma=2.0, **kwargs):
        super().__init__(**kwargs)
        self.gamma = gamma

    def call(self, y_true, y_pred):
        p = np.clip(y_pred, 1e-6, 1 - 1e-6)
        y = tf.cast(y_true, p.dtype)
        match = y * p + (1 - y) * (1 - p)
        return -tf.reduce_mean((1 - match) ** self.gamma * tf.math.log(match), axis=-1)


features = np.random.randn(40, 6).astype("float32")
labels = (features[:, :1] > 0.8).astype("int32")
model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss=FocalLoss())
model.fit(features, labels, epochs=1, verbose=0)
print(model.evaluate(features, labels, verbose=0))
