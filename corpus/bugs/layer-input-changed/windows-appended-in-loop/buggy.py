import numpy as np
import tensorflow as tf

LOOK_BACK = 10
N_FEATURES = 3


def create_dataset(series, look_back):
    data_x, data_y = [], []
    for i in range(len(series) - look_back - 1):
        a = series[i:(i + look_back), :]
        data_x.append(a)
        data_y.append(series[i + look_back, 0])
    return np.array(data_x), np.array(data_y)


rng = np.random.default_rng(5)
series = np.cumsum(rng.normal(size=(120, N_FEATURES)), axis=0)
split = int(len(series) * 0.7)
train, test = series[:split], series[split:]
train_x, train_y = create_dataset(train, LOOK_BACK)
test_x, test_y = create_dataset(test, LOOK_BACK)

model = tf.keras.Sequential()
model.add(tf.keras.layers.Input(shape=(LOOK_BACK - 1, N_FEATURES)))
model.add(tf.keras.layers.Flatten())
model.add(tf.keras.layers.Dense(16, activation="tanh"))
model.add(tf.keras.layers.Dense(1))
model.compile(loss="mean_squared_error", optimizer="adam")
model.fit(train_x, train_y, epochs=1, batch_size=8, verbose=0)
print(model.evaluate(test_x, test_y, verbose=0))
