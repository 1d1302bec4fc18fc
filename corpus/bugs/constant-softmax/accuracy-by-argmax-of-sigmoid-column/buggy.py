import keras
import numpy as np

rng = np.random.default_rng(12)
x = rng.normal(size=(200, 9)).astype("float32")
y = (x[:, 0] + x[:, 3] > 0).astype("float32")

model = keras.Sequential()
model.add(keras.layers.Input((9,)))
model.add(keras.layers.Dense(12, activation="relu"))
model.add(keras.layers.Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="adam")
model.fit(x[:150], y[:150], epochs=2, verbose=0)

probability = model.predict(x[150:], verbose=0)
label = np.argmax(probability, axis=1)
print("accuracy", np.mean(label == y[150:]))
