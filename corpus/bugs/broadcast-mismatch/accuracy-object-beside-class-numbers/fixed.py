import numpy as np
from tensorflow import keras

CLASSES = 10


class Digits(keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = keras.layers.Conv2D(8, 3, activation="relu")
        self.flatten = keras.layers.Flatten()
        self.hidden = keras.layers.Dense(32, activation="relu")
        self.scores = keras.layers.Dense(CLASSES)

    def call(self, pictures):
        maps = self.conv(pictures)
        return self.scores(self.hidden(self.flatten(maps)))


random = np.random.RandomState(3)
pictures = random.randint(0, 256, (96, 28, 28)).astype("uint8")
numbers = random.randint(0, CLASSES, 96).astype("uint8")
pictures = pictures[..., None] / 255.0

model = Digits()
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
metric = keras.metrics.SparseCategoricalAccuracy()
model.compile(optimizer=keras.optimizers.Adam(learning_rate=1e-3), loss=loss, metrics=[metric])
model.fit(pictures, numbers, batch_size=32, epochs=1, verbose=0)
print(model.predict(pictures[:1], verbose=0).argmax())
