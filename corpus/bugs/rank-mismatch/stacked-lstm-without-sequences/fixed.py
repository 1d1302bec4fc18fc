import keras
from keras import layers

MAX_LEN = 60
VOCAB = 2000


def build(units=(32, 16), **extra):
    model = keras.Sequential(name="reviews")
    model.add(keras.Input(shape=(MAX_LEN,), dtype="int32"))
    model.add(layers.Embedding(VOCAB, 24))
    model.add(layers.LSTM(units[0], **extra))
    model.add(layers.Dropout(0.3))
    model.add(layers.LSTM(units[1]))
    model.add(layers.Dense(1, activation="sigmoid"))
    model.compile(loss="binary_crossentropy", optimizer="rmsprop")
    return model


model = build(return_sequences=True)
model.summary()
