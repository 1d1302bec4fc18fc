import keras
import numpy as np
from keras import layers

rng = np.random.default_rng(7)

# concrete: cement, water, age -> strength
n = 200
cement = rng.uniform(100, 540, n)
water = rng.uniform(120, 250, n)
age = rng.integers(1, 365, n)
strength = 0.1 * cement - 0.15 * water + 8 * np.log1p(age) + rng.normal(scale=3, size=n)

X = np.stack([cement, water, age], axis=1)
y = strength
X = (X - X.mean(axis=0)) / X.std(axis=0)
X_train, X_test = X[:160], X[160:]
y_train, y_test = y[:160], y[160:]

model = keras.Sequential([
    layers.Input((3,)),
    layers.Dense(16, activation="relu"),
    layers.Dense(16, activation="relu"),
    layers.Dense(1),
])
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
model.fit(X_train, y_train, epochs=2, batch_size=32, verbose=0)


def r_squared(truth, guess):
    residual = np.sum((truth - guess) ** 2)
    total = np.sum((truth - np.mean(truth)) ** 2)
    return 1 - residual / total


y_pred = model.predict(X_test, verbose=0)
print("R2 on the test rows:", r_squared(y_test, y_pred))
for guess, truth in list(zip(y_pred[:, 0], y_test))[:5]:
    print("%6.1f %6.1f" % (guess, truth))
