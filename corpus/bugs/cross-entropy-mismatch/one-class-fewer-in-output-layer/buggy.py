import numpy as np
from tensorflow import keras
from tensorflow.keras import layers, utils

num_classes = 12
x = np.random.random((120, 30))
y = utils.to_categorical(np.random.randint(num_classes, size=(120, 1)), num_classes)

model = keras.Sequential(
    [
        layers.Dense(64, activation="relu", input_dim=30),
        layers.Dropout(0.5),
        layers.Dense(num_classes - 1, activation="softmax"),
    ]
)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=1, batch_size=40, verbose=0)
