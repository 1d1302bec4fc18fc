import numpy as np
from keras import Input, Sequential
from keras.callbacks import Callback
from keras.layers import LSTM, Dense

BATCH = 16
STEPS = 10


class ResetStates(Callback):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def on_epoch_end(self, epoch, logs=None):
        self.layer.reset_states()


def make_series(length):
    t = np.arange(length)
    return np.sin(t / 7.0) + 0.3 * np.sin(t / 3.0)


def windows(series):
    X = np.stack([series[i:i + STEPS] for i in range(len(series) - STEPS)])
    y = series[STEPS:]
    return X[..., np.newaxis], y


X, y = windows(make_series(510))
print("rows", len(X))

lstm = LSTM(12, stateful=True)
model = Sequential([
    Input(batch_shape=(BATCH, STEPS, 1)),
    lstm,
    Dense(1),
])
model.compile(loss="mse", optimizer="adam")
for epoch in range(2):
    model.fit(X, y, batch_size=BATCH, epochs=1, shuffle=False, callbacks=[ResetStates(lstm)], verbose=0)
print(model.evaluate(X, y, batch_size=BATCH, verbose=0))
