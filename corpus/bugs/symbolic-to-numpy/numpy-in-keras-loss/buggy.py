import keras
import numpy as np
import tensorflow as tf


def focal(y_true, y_pred):
    weight = np.power(1.0 - y_pred, 2.0)
    return -tf.reduce_mean(weight * y_true * tf.math.log(y_pred + 1e-7))


model = keras.Sequential([keras.Input((10,)), keras.layers.Dense(4, activation="softmax")])
model.compile(optimizer="adam", loss=focal)
x = np.random.rand(32, 10).astype("float32")
y = keras.utils.to_categorical(np.random.randint(0, 4, 32), 4)
model.fit(x, y, epochs=1, verbose=0)
