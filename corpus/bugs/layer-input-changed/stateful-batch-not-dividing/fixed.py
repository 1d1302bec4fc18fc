import numpy as np
from tensorflow import keras

batch_size, steps, features = 8, 5, 2
model = keras.models.Sequential()
model.add(keras.layers.LSTM(6, batch_input_shape=(batch_size, steps, features), stateful=True))
model.add(keras.layers.Dense(1))
model.compile(loss="mse", optimizer="sgd")
rng = np.random.default_rng(0)
X = rng.random((48, steps, features))
y = rng.random((48, 1))
for epoch in range(2):
    model.fit(X, y, epochs=1, batch_size=batch_size, shuffle=False, verbose=0)
    model.reset_states()
yhat = model.predict(X[:batch_size], batch_size=batch_size, verbose=0)
print(yhat[0])
