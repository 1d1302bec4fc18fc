import keras
import numpy as np
from keras import layers

SENTENCES = [
    ("the room was clean and the staff were friendly", 1),
    ("never again the bed was hard", 0),
    ("lovely view from the window", 1),
    ("cold food and slow service at the bar in the evening", 0),
]


class WordIndex:
    def __init__(self):
        self.words = {}

    def fit(self, texts):
        for text in texts:
            for word in text.split():
                self.words.setdefault(word, len(self.words) + 1)

    def sequences(self, texts):
        return [[self.words.get(word, 0) for word in text.split()] for text in texts]


MAX_LENGTH = 8
PAD_TO = 28

texts = [text for text, _ in SENTENCES] * 6
labels = [label for _, label in SENTENCES] * 6
index = WordIndex()
index.fit(texts)
X = keras.utils.pad_sequences(index.sequences(texts), maxlen=PAD_TO, padding="post")
Y = keras.utils.to_categorical(np.array(labels), 2)

model = keras.Sequential(name="sentiment")
model.add(layers.Input(shape=(MAX_LENGTH,)))
model.add(layers.Embedding(len(index.words) + 1, 16))
model.add(layers.Conv1D(8, 3, activation="relu", padding="same"))
model.add(layers.Flatten())
model.add(layers.Dense(2, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="rmsprop", metrics=["accuracy"])

stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=2)
model.fit(X[:20], Y[:20], epochs=1, batch_size=4, validation_data=(X[20:], Y[20:]),
          callbacks=[stop], verbose=0)
