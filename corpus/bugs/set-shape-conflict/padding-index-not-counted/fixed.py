import numpy as np
from tensorflow.keras import layers, models

CORPUS = [
    "where is the station",
    "the station is near the river",
    "who wrote the book",
    "the book was written in the north",
]
DIM = 10
LEFT, RIGHT = 4, 7


class Vocabulary:
    """Numbers the words from 1; 0 stands for padding."""

    def __init__(self, texts):
        words = sorted({word for text in texts for word in text.split()})
        self.index = {word: number for number, word in enumerate(words, start=1)}

    def __len__(self):
        return len(self.index)

    def encode(self, text, length):
        numbers = [self.index.get(word, 0) for word in text.split()][:length]
        return numbers + [0] * (length - len(numbers))


def embedding_matrix(vocabulary, dim, seed=0):
    rng = np.random.RandomState(seed)
    matrix = rng.uniform(-0.2, 0.2, size=(len(vocabulary) + 1, dim))
    matrix[0] = 0.0
    return matrix


def build(params):
    left = layers.Input((LEFT,))
    right = layers.Input((RIGHT,))
    embedding = layers.Embedding(params["input_dim"], params["output_dim"], name="embedding")
    match = layers.Dot(axes=[2, 2], normalize=True)([embedding(left), embedding(right)])
    x = layers.Flatten()(match)
    out = layers.Dense(1, activation="sigmoid")(x)
    return models.Model([left, right], out)


vocabulary = Vocabulary(CORPUS)
params = {"input_dim": len(vocabulary) + 1, "output_dim": DIM}
model = build(params)
model.get_layer("embedding").set_weights([embedding_matrix(vocabulary, DIM)])
model.compile("adam", "binary_crossentropy")
questions = np.array([vocabulary.encode(t, LEFT) for t in CORPUS[::2]])
answers = np.array([vocabulary.encode(t, RIGHT) for t in CORPUS[1::2]])
print(model.predict([questions, answers], verbose=0))
