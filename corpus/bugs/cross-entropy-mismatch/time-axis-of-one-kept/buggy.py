import argparse

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Activation, BatchNormalization, Dense, Dropout
from tensorflow.keras.models import Sequential

MOODS = ["angry", "calm", "disgust", "fearful", "happy", "neutral", "sad"]


def parse_args():
    parser = argparse.ArgumentParser(description="moods of spoken sentences")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--units", type=int, default=24)
    return parser.parse_args()


def load_features(count=84, coefficients=40):
    """One row of mean cepstral coefficients per recording, and the number of its mood."""
    rng = np.random.RandomState(3)
    features = rng.normal(size=(count, coefficients))
    moods = np.arange(count) % len(MOODS)
    return features, moods


def build_model(units, input_shape, classes):
    model = Sequential()
    model.add(LSTM(units, return_sequences=True, input_shape=input_shape))
    model.add(Dropout(0.3))
    model.add(LSTM(units, return_sequences=True))
    model.add(BatchNormalization())
    model.add(Dense(units, activation="relu"))
    model.add(Dense(classes))
    model.add(Activation("softmax"))
    return model


def main():
    args = parse_args()
    features, moods = load_features()
    x = np.expand_dims(features, axis=1)
    y = tf.keras.utils.to_categorical(moods, len(MOODS))
    cut = int(len(x) * 0.75)
    model = build_model(args.units, x.shape[1:], len(MOODS))
    model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
    model.fit(x[:cut], y[:cut], batch_size=args.batch_size, epochs=args.epochs, verbose=0)
    loss, accuracy = model.evaluate(x[cut:], y[cut:], verbose=0)
    print("loss %.3f accuracy %.3f" % (loss, accuracy))


if __name__ == "__main__":
    main()
