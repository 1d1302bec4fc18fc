import keras
import numpy as np

N_IN, N_OUT, FEATURES = 14, 7, 3


def to_supervised(data, n_in, n_out):
    X, y = [], []
    start = 0
    for _ in range(len(data)):
        in_end = start + n_in
        out_end = in_end + n_out
        if out_end <= len(data):
            X.append(data[start:in_end, :])
            y.append(data[in_end:out_end, 0])
        start += 1
    return np.array(X), np.array(y)


data = np.random.default_rng(0).normal(size=(80, FEATURES))
train_x, train_y = to_supervised(data, N_IN, N_OUT)
train_y = train_y.reshape((train_y.shape[0], train_y.shape[1], 1))
model = keras.Sequential([
    keras.Input((N_IN, FEATURES)),
    keras.layers.LSTM(16, activation="relu"),
    keras.layers.RepeatVector(N_OUT),
    keras.layers.LSTM(16, activation="relu", return_sequences=True),
    keras.layers.TimeDistributed(keras.layers.Dense(1)),
])
model.compile(loss="mse", optimizer="adam")
model.fit(train_x, train_y, epochs=1, batch_size=16, verbose=0)
