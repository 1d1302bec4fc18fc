import numpy as np
from sklearn.metrics import mean_squared_error
from sklearn.preprocessing import MinMaxScaler

rng = np.random.RandomState(10)
hours = 2000


def energy_table():
    clock = np.arange(hours)
    demand = 500 + 80 * np.sin(2 * np.pi * clock / 24) + rng.normal(scale=10, size=hours)
    temperature = 15 + 7 * np.cos(2 * np.pi * clock / 24)
    wind = rng.gamma(2.0, 3.0, size=hours)
    price = 0.08 * demand + rng.normal(size=hours)
    return np.stack([demand, temperature, wind, price], axis=1)


def to_supervised(values, n_in=1):
    past = values[:-n_in]
    future = values[n_in:, :1]
    return np.hstack([past, future])


values = energy_table().astype("float32")
scaler = MinMaxScaler(feature_range=(0, 1))
scaled = scaler.fit_transform(values)
table = to_supervised(scaled)

n_train = 1500
train, test = table[:n_train], table[n_train:]
train_X, train_y = train[:, :-1], train[:, -1]
test_X, test_y = test[:, :-1], test[:, -1]

# least squares stands for the network
weights, _, _, _ = np.linalg.lstsq(train_X, train_y, rcond=None)
yhat = test_X.dot(weights).reshape(-1, 1)

inv_yhat = np.concatenate((yhat, test_X), axis=1)
inv_yhat = scaler.inverse_transform(inv_yhat)[:, 0]
inv_y = np.concatenate((test_y.reshape(-1, 1), test_X[:, 1:]), axis=1)
inv_y = scaler.inverse_transform(inv_y)[:, 0]
print("RMSE", np.sqrt(mean_squared_error(inv_y, inv_yhat)))
