# %% imports
import numpy as np
import keras
from keras import layers

# %% data: three sensors, one target
rng = np.random.RandomState(42)
temperature = rng.normal(20, 5, size=500)
humidity = rng.uniform(0.2, 0.9, size=500)
pressure = rng.normal(1013, 8, size=500)
X = np.column_stack([temperature, humidity, pressure])
y = 0.3 * temperature - 4 * humidity + 0.01 * pressure + rng.normal(size=500)

mean, std = X.mean(axis=0), X.std(axis=0)
X = (X - mean) / std
split = int(0.8 * len(X))
X_train, X_test = X[:split], X[split:]
y_train, y_test = y[:split], y[split:]

# %% model
inputs = keras.Input(shape=(3), name="sensors")
x = layers.Dense(16, activation="relu")(inputs)
x = layers.Dense(16, activation="relu")(x)
outputs = layers.Dense(1, name="power")(x)
model = keras.Model(inputs, outputs, name="power_model")
model.compile(optimizer="adam", loss="mse", metrics=["mae"])

# %% training
history = model.fit(X_train, y_train, validation_split=0.1, epochs=3, batch_size=32, verbose=0)
for epoch, loss in enumerate(history.history["loss"]):
    print(f"epoch {epoch + 1}: {loss:.4f}")

# %% test
print(model.evaluate(X_test, y_test, verbose=0))
