"""Keras 2 style text classifiers: Sequential with input_shape, branches, shared layers, generators."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"

import random

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import (
    LSTM,
    Activation,
    BatchNormalization,
    Bidirectional,
    Concatenate,
    Conv1D,
    Dense,
    Dropout,
    Embedding,
    Flatten,
    GlobalMaxPooling1D,
    Input,
    Lambda,
    MaxPooling1D,
    Permute,
    RepeatVector,
    Reshape,
    TimeDistributed,
    dot,
    multiply,
)
from tensorflow.keras.models import Model, Sequential
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.utils import Sequence, to_categorical

random.seed(0)
np.random.seed(0)

MAXLEN, VOCAB, CLASSES = 24, 80, 3


def corpus(count):
    texts = [[random.randrange(1, VOCAB) for _ in range(random.randrange(5, 40))] for _ in range(count)]
    labels = [sum(t) % CLASSES for t in texts]
    return pad_sequences(texts, maxlen=MAXLEN), np.array(labels)


class Batches(Sequence):
    def __init__(self, x, y, size, one_hot=True):
        self.x, self.y, self.size, self.one_hot = x, y, size, one_hot

    def __len__(self):
        return int(np.ceil(len(self.x) / float(self.size)))

    def __getitem__(self, i):
        rows = slice(i * self.size, (i + 1) * self.size)
        y = to_categorical(self.y[rows], CLASSES) if self.one_hot else self.y[rows]
        return self.x[rows], y


def simple_conv():
    model = Sequential()
    model.add(Embedding(VOCAB, 10, input_length=MAXLEN))
    model.add(Conv1D(12, 3, padding="valid"))
    model.add(BatchNormalization())
    model.add(Activation("relu"))
    model.add(MaxPooling1D(pool_size=2))
    model.add(Flatten())
    model.add(Dense(CLASSES))
    model.add(Activation("softmax"))
    return model


def many_windows(windows=(2, 3, 5), filters=6):
    tokens = Input(shape=(MAXLEN,), dtype="int32")
    vectors = Embedding(VOCAB, 10)(tokens)
    pooled = []
    for size in windows:
        maps = Conv1D(filters, size, activation="tanh", name="window_%d" % size)(vectors)
        pooled.append(GlobalMaxPooling1D()(maps))
    joint = Concatenate()(pooled) if len(pooled) > 1 else pooled[0]
    return Model(tokens, Dense(CLASSES, activation="softmax")(Dropout(0.2)(joint)))


def attention_lstm(units=8):
    tokens = Input(shape=(MAXLEN,), dtype="int32")
    states = Bidirectional(LSTM(units, return_sequences=True))(Embedding(VOCAB, 10, mask_zero=False)(tokens))
    score = TimeDistributed(Dense(1, activation="tanh"))(states)
    weights = Activation("softmax")(Flatten()(score))
    weights = Permute([2, 1])(RepeatVector(2 * units)(weights))
    context = Lambda(lambda z: K.sum(z, axis=1))(multiply([states, weights]))
    return Model(tokens, Dense(CLASSES, activation="softmax")(context))


def siamese():
    shared = Sequential([Embedding(VOCAB, 10, input_length=MAXLEN), LSTM(9), Dense(7, activation="relu")])
    left, right = Input((MAXLEN,)), Input((MAXLEN,))
    alike = dot([shared(left), shared(right)], axes=1, normalize=True)
    return Model([left, right], Dense(1, activation="sigmoid")(alike))


def tagger():
    model = Sequential()
    model.add(Embedding(VOCAB, 10, input_shape=(MAXLEN,)))
    model.add(LSTM(8, return_sequences=True))
    model.add(LSTM(6, return_sequences=True, go_backwards=True))
    model.add(TimeDistributed(Dense(4, activation="relu")))
    model.add(Reshape((MAXLEN * 2, 2)))
    model.add(Reshape((-1, 4)))
    model.add(TimeDistributed(Dense(2, activation="softmax")))
    return model


def main():
    x, y = corpus(50)
    for make in (simple_conv, many_windows, lambda: many_windows((4,)), attention_lstm):
        model = make()
        model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
        model.fit(Batches(x[:40], y[:40], 16), epochs=1, verbose=0)
        loss, accuracy = model.evaluate(x[40:], to_categorical(y[40:], CLASSES), verbose=0)
        print(model.output_shape, round(loss, 3), round(accuracy, 2))

    model = simple_conv()
    model.compile(loss="sparse_categorical_crossentropy", optimizer="sgd")
    model.fit(Batches(x, y, 20, one_hot=False), epochs=1, verbose=0)

    pairs = siamese()
    pairs.compile(loss="binary_crossentropy", optimizer="rmsprop")
    pairs.fit([x[::2], x[1::2]], (y[::2] == y[1::2]).astype("float32"), epochs=1, verbose=0)

    tags = tagger()
    tags.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
    tags.fit(x, (x % 2)[..., np.newaxis], epochs=1, verbose=0)
    first = tags.predict(np.expand_dims(x[0], 0), verbose=0)[0]
    print(pairs.output_shape, tags.output_shape, first.argmax(axis=-1))


if __name__ == "__main__":
    main()
    tf.keras.backend.clear_session()
