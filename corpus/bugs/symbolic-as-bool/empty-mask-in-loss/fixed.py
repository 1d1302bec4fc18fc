import numpy as np
import tensorflow as tf
from tensorflow import keras


def masked_mae(y_true, y_pred):
    mask = tf.cast(y_true > 0, tf.float32)
    errors = tf.abs(y_true - y_pred) * mask
    count = tf.reduce_sum(mask)
    return tf.math.divide_no_nan(tf.reduce_sum(errors), count)


depth_net = keras.Sequential(
    [keras.Input((8, 8, 3)), keras.layers.Conv2D(4, 3, padding="same", activation="relu"), keras.layers.Conv2D(1, 1)]
)
depth_net.compile(optimizer="adam", loss=masked_mae)
images = np.random.rand(6, 8, 8, 3)
depths = np.maximum(np.random.randn(6, 8, 8, 1), 0)
depth_net.fit(images, depths, batch_size=3, verbose=0)
