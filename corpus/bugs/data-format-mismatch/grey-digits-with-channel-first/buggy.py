import numpy as np
from tensorflow.keras import layers, models

digits = np.random.rand(10, 1, 28, 28).astype("float32")
net = models.Sequential(
    [
        layers.Conv2D(6, 3, padding="same", activation="relu", input_shape=(1, 28, 28)),
        layers.Flatten(),
        layers.Dense(10, activation="softmax"),
    ]
)
net.compile("adam", "sparse_categorical_crossentropy")
net.fit(digits, np.random.randint(0, 10, 10), epochs=1, verbose=0)
