import numpy as np
from tensorflow import keras

rng = np.random.default_rng(12)


def beans(count):
    """Return length, width and weight of coffee beans, and the grade of each."""
    grades = rng.integers(0, 3, size=count)
    means = np.array([[7.1, 5.0, 0.11], [8.4, 6.2, 0.14], [9.6, 6.9, 0.19]])
    return means[grades] + rng.normal(scale=0.3, size=(count, 3)), grades


def split(measures, grades, share=0.8):
    np.random.shuffle(measures)
    np.random.shuffle(grades)
    count = int(len(measures) * share)
    return (measures[:count], grades[:count]), (measures[count:], grades[count:])


(x_train, y_train), (x_test, y_test) = split(*beans(600))
model = keras.Sequential(
    [
        keras.layers.Input((3,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=1, verbose=0)
print(model.evaluate(x_test, y_test, verbose=0))
