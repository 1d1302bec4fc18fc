import numpy as np
import tensorflow as tf
series = np.sin(np.arange(400) / 10).astype("float32")
ds = tf.data.Dataset.from_tensor_slices(series)
ds = ds.window(21, shift=1, drop_remainder=True)
ds = ds.flat_map(lambda w: w.batch(21))
ds = ds.map(lambda w: (w[:-1, None], w[-1]))
ds = ds.shuffle(100).batch(32, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.LSTM(16), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=1, verbose=0)
