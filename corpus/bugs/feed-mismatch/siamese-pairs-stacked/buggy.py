import keras
import numpy as np


def base_network(width):
    return keras.Sequential([
        keras.Input((width,)),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(16),
    ])


def make_pairs(x, y, classes):
    by_class = [np.where(y == i)[0] for i in range(classes)]
    pairs, labels = [], []
    for index in range(len(x)):
        same = np.random.choice(by_class[y[index]])
        other = np.random.choice(by_class[(y[index] + 1) % classes])
        pairs += [[x[index], x[same]], [x[index], x[other]]]
        labels += [1, 0]
    return np.array(pairs), np.array(labels)


rng = np.random.default_rng(0)
x, y = rng.random((40, 20)), np.arange(40) % 4
pairs, labels = make_pairs(x, y, 4)
left, right = keras.Input((20,)), keras.Input((20,))
network = base_network(20)
distance = keras.layers.Subtract()([network(left), network(right)])
score = keras.layers.Dense(1, activation="sigmoid")(distance)
model = keras.Model([left, right], score)
model.compile("adam", "binary_crossentropy")
model.fit([pairs[:, 0], pairs[:]], labels, epochs=1, batch_size=8, verbose=0)
