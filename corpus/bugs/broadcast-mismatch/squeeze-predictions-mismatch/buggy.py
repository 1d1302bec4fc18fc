import keras
import numpy as np

WINDOW = 6
series = np.sin(np.arange(60) / 5.0).astype("float32")
x = np.array([series[i:i + WINDOW] for i in range(len(series) - WINDOW)])
y = series[WINDOW:]
model = keras.Sequential([keras.Input((WINDOW,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=1, verbose=0)
predicted = model.predict(x, verbose=0).flatten()
error = series - predicted
print(np.sqrt(np.mean(error ** 2)))
