import numpy as np
from tensorflow.keras.layers import Conv1D, Dense, GlobalMaxPooling1D, Input, Reshape
from tensorflow.keras.models import Model

WINDOW = 128

t = np.linspace(0, 8 * np.pi, 64 * WINDOW).reshape(64, WINDOW)
signals = np.sin(t) + 0.1 * np.random.randn(64, WINDOW)
broken = np.random.randint(0, 2, size=64)

inp = Input(shape=(WINDOW,))
h = Conv1D(16, kernel_size=5, activation="relu")(inp)
h = Conv1D(16, kernel_size=5, activation="relu")(h)
h = GlobalMaxPooling1D()(h)
out = Dense(1, activation="sigmoid")(h)

model = Model(inp, out)
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(signals, broken, batch_size=16, epochs=1, verbose=0)
