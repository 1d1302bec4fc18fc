import numpy as np
import pandas as pd
from keras.layers import LSTM, Dense, Input
from keras.models import Sequential

n_hours = 3
n_features = 5


def series_to_supervised(data, n_in=1):
    frame = pd.DataFrame(data)
    cols = [frame.shift(i) for i in range(n_in, 0, -1)] + [frame]
    agg = pd.concat(cols, axis=1)
    agg.dropna(inplace=True)
    return agg


values = np.random.default_rng(0).random((60, n_features)).astype("float32")
reframed = series_to_supervised(values, n_hours)
values = reframed.values
n_train = 40
train, test = values[:n_train, :], values[n_train:, :]
n_obs = n_hours * n_features
train_X, train_y = train[:, :n_obs], train[:, -n_features]
test_X, test_y = test[:, :n_obs], test[:, -n_features]
train_X = train_X.reshape((train_X.shape[0], n_hours, n_features))
test_X = test_X.reshape((test_X.shape[0], n_hours, n_features))

model = Sequential()
model.add(Input((train_X.shape[1], train_X.shape[2])))
model.add(LSTM(10))
model.add(Dense(1))
model.compile(loss="mae", optimizer="adam")
model.fit(train_X, train_y, epochs=1, batch_size=8, validation_data=(test_X, test_y), verbose=0)
