import datetime

import numpy as np

START = datetime.date(2019, 1, 1)


def make_calendar(days):
    dates = [START + datetime.timedelta(days=k) for k in range(days)]
    weekday = np.array([d.weekday() for d in dates])
    month = np.array([d.month for d in dates])
    return weekday, month


def one_hot(values, size, first=0):
    table = np.zeros((len(values), size))
    table[np.arange(len(values)), values - first] = 1
    return table


def fourier(days, period, order):
    t = 2 * np.pi * np.arange(days) / period
    return np.column_stack([f(k * t) for k in range(1, order + 1) for f in (np.sin, np.cos)])


days = 365
rng = np.random.default_rng(12)
weekday, month = make_calendar(days)
temperature = 12 - 10 * np.cos(2 * np.pi * np.arange(days) / 365) + rng.normal(size=days)
sales = 200 + 30 * (weekday >= 5) + 2 * temperature + rng.normal(scale=4, size=days)

features = np.hstack([
    one_hot(weekday, 7),
    one_hot(month, 12, first=1),
    fourier(days, 365.25, 3),
    temperature[:, np.newaxis],
])
train, test = features[:300], features[300:]
weights = np.linalg.lstsq(train, sales[:300], rcond=None)[0]
error = np.abs(test @ weights - sales[300:])
print("features", features.shape, "mean error", error.mean())
