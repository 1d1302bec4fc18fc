import numpy as np
from tensorflow import keras

x, y = np.random.rand(50, 8), np.random.randint(0, 4, (50, 1))
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4, activation="softmax")])
model.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",
    metrics=["categorical_accuracy"],
)
print(model.fit(x, y, verbose=0).history)
