import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import LSTM, Dense, Input

WINDOW = 12
series = np.sin(np.linspace(0, 20, 140)).astype("float32")
x = np.stack([series[i : i + WINDOW] for i in range(128)])[..., None]
y = np.stack([series[i + WINDOW : i + WINDOW + 1] for i in range(128)])

model = Sequential()
model.add(Input((WINDOW, 1)))
model.add(LSTM(8, return_sequences=True))
model.add(Dense(1))
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, epochs=1, verbose=0)
