"""Predicts the next reading of four joints from the last nine."""
import collections

import numpy as np
from keras.layers import Dense, Dropout, Input, LSTM
from keras.models import Sequential

LOOKBACK = 9
JOINTS = 4


class Recorder:
    def __init__(self, length):
        self.buffer = collections.deque(maxlen=length)

    def push(self, reading):
        self.buffer.append(np.asarray(reading, dtype="float32"))

    def full(self):
        return len(self.buffer) == self.buffer.maxlen

    def window(self):
        return np.array(list(self.buffer)[:LOOKBACK])


def sliding_windows(series, lookback):
    X, y = [], []
    for i in range(len(series) - lookback):
        X.append(series[i:i + lookback])
        y.append(series[i + lookback])
    return np.array(X), np.array(y)


steps = np.linspace(0, 12, 200)
angles = np.stack([np.sin(steps + k) for k in range(JOINTS)], axis=1)
X, y = sliding_windows(angles, LOOKBACK)

model = Sequential([
    Input(shape=(LOOKBACK, JOINTS)),
    LSTM(16),
    Dropout(0.1),
    Dense(JOINTS),
])
model.compile(loss="mse", optimizer="adam")
model.fit(X, y, epochs=1, batch_size=16, verbose=0)

recorder = Recorder(LOOKBACK)
for reading in angles[-LOOKBACK:]:
    recorder.push(reading)

if recorder.full():
    last = np.zeros((LOOKBACK, JOINTS), dtype="float32")
    for i, reading in enumerate(recorder.window()):
        last[i] = reading
    forecast = model.predict(last[np.newaxis], verbose=0)
    print("next angles", forecast[0])
