import numpy as np
from keras.callbacks import EarlyStopping
from keras.layers import LSTM, Dense, Input
from keras.models import Sequential
from keras.optimizers import Adam


class SequenceForecaster:
    """Continues a sequence of numbers."""

    def __init__(self, steps_in=8, steps_out=1, units=(32, 16), lr=0.01):
        self.steps_in = steps_in
        self.steps_out = steps_out
        self.units = units
        self.lr = lr
        self.model = self._build()

    def _build(self):
        model = Sequential()
        model.add(Input(shape=(self.steps_in, 1)))
        model.add(LSTM(self.units[0], activation="relu"))
        model.add(LSTM(self.units[1], activation="relu"))
        model.add(Dense(self.steps_out))
        model.compile(optimizer=Adam(learning_rate=self.lr), loss="mse")
        return model

    def split(self, sequence):
        X, y = list(), list()
        for i in range(len(sequence)):
            end = i + self.steps_in
            if end + self.steps_out > len(sequence):
                break
            X.append(sequence[i:end])
            y.append(sequence[end:end + self.steps_out])
        return np.array(X).reshape(-1, self.steps_in, 1), np.array(y)

    def fit(self, sequence, epochs=2):
        X, y = self.split(sequence)
        stop = EarlyStopping(monitor="loss", patience=3)
        return self.model.fit(X, y, epochs=epochs, callbacks=[stop], verbose=0)

    def predict_next(self, sequence):
        window = np.array(sequence[-self.steps_in:]).reshape(1, self.steps_in, 1)
        return float(self.model.predict(window, verbose=0)[0, 0])


numbers = [n * 0.5 for n in range(60)]
forecaster = SequenceForecaster()
forecaster.fit(numbers)
print("after", numbers[-1], "comes", forecaster.predict_next(numbers))
