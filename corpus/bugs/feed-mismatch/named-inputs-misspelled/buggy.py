import keras
import numpy as np

TITLE_LEN, BODY_LEN, VOCAB = 8, 20, 60


def make_inputs(count):
    rng = np.random.default_rng(3)
    return {
        "title": rng.integers(1, VOCAB, size=(count, TITLE_LEN)),
        "text": rng.integers(1, VOCAB, size=(count, BODY_LEN)),
    }


title = keras.Input(shape=(TITLE_LEN,), name="title")
body = keras.Input(shape=(BODY_LEN,), name="body")
t = keras.layers.LSTM(8)(keras.layers.Embedding(VOCAB, 4)(title))
b = keras.layers.LSTM(8)(keras.layers.Embedding(VOCAB, 4)(body))
merged = keras.layers.concatenate([t, b])
priority = keras.layers.Dense(1, activation="sigmoid", name="priority")(merged)
model = keras.Model(inputs=[title, body], outputs=priority)
model.compile(optimizer="adam", loss="binary_crossentropy")
labels = np.random.default_rng(0).integers(0, 2, size=(24, 1))
model.fit(make_inputs(24), labels, epochs=1, verbose=0)
