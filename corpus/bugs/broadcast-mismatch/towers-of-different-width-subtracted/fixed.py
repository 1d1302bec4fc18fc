import keras
import numpy as np
from keras import layers, ops

QUESTION_LEN, ANSWER_LEN, VOCAB = 12, 30, 200


def tower(name, length, units, dropout=0.2):
    tokens = keras.Input((length,), dtype="int32", name=name)
    x = layers.Embedding(VOCAB, 16, name=f"{name}_embedding")(tokens)
    x = layers.Bidirectional(layers.GRU(units), name=f"{name}_gru")(x)
    x = layers.Dropout(dropout)(x)
    return tokens, x


class Distance(layers.Layer):
    """The absolute difference of two vectors."""

    def call(self, inputs):
        left, right = inputs
        return ops.abs(left - right)


def build(units=8):
    question, q = tower("question", QUESTION_LEN, units)
    answer, a = tower("answer", ANSWER_LEN, units)
    distance = Distance()([q, a])
    score = layers.Dense(1, activation="sigmoid")(distance)
    return keras.Model({"question": question, "answer": answer}, score)


model = build()
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
rng = np.random.default_rng(30)
data = {
    "question": rng.integers(0, VOCAB, size=(40, QUESTION_LEN)),
    "answer": rng.integers(0, VOCAB, size=(40, ANSWER_LEN)),
}
model.fit(data, rng.integers(0, 2, size=(40, 1)), epochs=1, batch_size=10, verbose=0)
