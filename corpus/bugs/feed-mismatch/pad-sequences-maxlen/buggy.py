import keras
import numpy as np
from keras.utils import pad_sequences

VOCAB = 50
MAX_LEN = 12
rng = np.random.default_rng(0)


def encode(sentence, word_index):
    return [word_index.get(word, 0) for word in sentence.split()]


sentences = ["the cat sat on the mat", "a dog barked", "birds sing in the early morning light"] * 8
words = sorted({word for sentence in sentences for word in sentence.split()})
word_index = {word: i + 1 for i, word in enumerate(words)}
encoded = [encode(sentence, word_index) for sentence in sentences]
labels = np.array([0, 1, 1] * 8)

padded = pad_sequences(encoded, maxlen=10, padding="post")

inputs = keras.Input(shape=(MAX_LEN,), dtype="int32")
x = keras.layers.Embedding(VOCAB, 8)(inputs)
x = keras.layers.Flatten()(x)
x = keras.layers.Dense(8, activation="relu")(x)
outputs = keras.layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "binary_crossentropy")
model.fit(padded, labels, epochs=1, verbose=0)
