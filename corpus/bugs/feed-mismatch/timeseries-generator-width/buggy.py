import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator

rng = np.random.default_rng(0)
data = rng.normal(size=(120, 3)).astype("float32")
target = data[:, 0]
n_input = 24
generator = TimeseriesGenerator(data[:100], target[:100], length=n_input, sampling_rate=2, batch_size=8)

model = keras.Sequential()
model.add(keras.layers.Conv1D(8, 3, activation="relu", input_shape=(n_input, 3)))
model.add(keras.layers.Flatten())
model.add(keras.layers.Dense(1))
model.compile(loss="mse", optimizer="adam")
model.fit(generator, epochs=1, verbose=0)
