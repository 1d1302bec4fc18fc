import numpy as np
import keras
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def load():
    flowers = load_iris()
    parts = train_test_split(flowers.data, flowers.target, test_size=0.2, random_state=7)
    train, test, train_kinds, test_kinds = parts
    scaler = StandardScaler().fit(train)
    return scaler.transform(train), scaler.transform(test), train_kinds, test_kinds


def network():
    return keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(10, activation="relu"),
            keras.layers.Dense(3, activation="softmax"),
        ]
    )


keras.utils.set_random_seed(1)
train, test, train_kinds, test_kinds = load()
model = network()
measured = [keras.metrics.Precision()]
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=measured)
model.fit(train, train_kinds, epochs=2, validation_data=(test, test_kinds), verbose=0)
scores = model.predict(test, verbose=0)
print(np.mean(scores.argmax(axis=1) == test_kinds))
