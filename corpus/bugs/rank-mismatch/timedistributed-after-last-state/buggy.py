import numpy as np
from tensorflow.keras.layers import LSTM, Dense, TimeDistributed
from tensorflow.keras.models import Sequential

n_steps = 25
n_features = 3

X = np.random.rand(40, n_steps, n_features)
y = np.cumsum(X.sum(axis=2), axis=1)[:, :, None]

model = Sequential()
model.add(LSTM(20, input_shape=(n_steps, n_features), return_sequences=True))
model.add(LSTM(10))
model.add(TimeDistributed(Dense(1)))
model.compile(loss="mse", optimizer="adam")
model.fit(X, y, epochs=1, verbose=0)
print(model.predict(X[:2], verbose=0).shape)
