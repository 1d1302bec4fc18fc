import numpy as np
import tensorflow as tf
from tensorflow import keras


def wrong_signs(y_true, y_pred):
    return tf.reduce_mean(tf.nn.relu(1.0 - tf.sign(y_true) * y_pred), axis=-1)


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
model.compile("adam", loss=wrong_signs)
x = np.random.randn(32, 4).astype("float32")
model.fit(x, x[:, :1] - x[:, 1:2], verbose=0)
print(model.predict(x[:2], verbose=0).shape)
