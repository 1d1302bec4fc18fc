import numpy as np
from tensorflow.keras.layers import Conv1D, Dense, Dropout, Flatten, MaxPooling1D
from tensorflow.keras.models import Sequential

# two accelerometer axes, labelled by activity
N = 3350
time = np.linspace(0, 60, N)
activity = (np.sin(time) > 0).astype(int)
x_axis = np.sin(time * 9) * activity + np.random.normal(0, 0.1, N)
y_axis = np.cos(time * 7) * activity + np.random.normal(0, 0.1, N)
features = np.array([x_axis, y_axis]).T
print("features", features.shape)

split = int(N * 0.7)
X_train, X_test = features[:split], features[split:]
y_train, y_test = activity[:split], activity[split:]
mean, std = X_train.mean(axis=0), X_train.std(axis=0)
X_train = (X_train - mean) / std
X_test = (X_test - mean) / std
X_train = X_train[:, :, np.newaxis]
X_test = X_test[:, :, np.newaxis]

verbose, epochs, batch_size = 0, 1, 64

model = Sequential()
model.add(Conv1D(filters=8, kernel_size=2, activation="relu", input_shape=X_train.shape[1:]))
model.add(Dropout(0.5))
model.add(MaxPooling1D(pool_size=1))
model.add(Flatten())
model.add(Dense(16, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(X_train, y_train, epochs=epochs, batch_size=batch_size, verbose=verbose)
_, accuracy = model.evaluate(X_test, y_test, batch_size=batch_size, verbose=0)
print("accuracy %.3f" % accuracy)
