import keras
import numpy as np
from keras import layers

QUERY_LEN, QUERY_DIM = 8, 5
MEMORY_LEN, KEY_DIM, VALUE_DIM = 11, 5, 7


class MemoryReader(keras.Model):
    """Looks up a memory of keys and values for each query; the query stays by a shortcut."""

    def __init__(self, hidden, classes):
        super().__init__()
        self.attend = layers.Attention(use_scale=True, score_mode="dot")
        self.add = layers.Add()
        self.norm = layers.LayerNormalization()
        self.flatten = layers.Flatten()
        self.hidden = layers.Dense(hidden, activation="relu")
        self.answer = layers.Dense(classes, activation="softmax")

    def call(self, inputs):
        query, key, value = inputs
        looked_up = self.attend([query, value, key])
        x = self.add([query, looked_up])
        x = self.flatten(self.norm(x))
        return self.answer(self.hidden(x))


def sample(count, seed=0):
    rng = np.random.default_rng(seed)
    query = rng.normal(size=(count, QUERY_LEN, QUERY_DIM)).astype("float32")
    key = rng.normal(size=(count, MEMORY_LEN, KEY_DIM)).astype("float32")
    value = rng.normal(size=(count, MEMORY_LEN, VALUE_DIM)).astype("float32")
    return (query, key, value), rng.integers(0, 3, size=count)


inputs, classes = sample(32)
model = MemoryReader(hidden=16, classes=3)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(inputs, classes, batch_size=8, epochs=1, verbose=0)
print(model.predict(sample(4, seed=1)[0], verbose=0).argmax(axis=-1))
