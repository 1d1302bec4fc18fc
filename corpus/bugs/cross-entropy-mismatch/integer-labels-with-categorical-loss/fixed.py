import numpy as np
from tensorflow.keras.datasets import mnist
from tensorflow.keras.layers import Conv2D, Dense, Flatten, Input, MaxPooling2D
from tensorflow.keras.models import Sequential
from tensorflow.keras.utils import to_categorical


def prepare_mnist(limit):
    (x, y), (x_val, y_val) = mnist.load_data()
    x = np.expand_dims(x[:limit], -1).astype("float32") / 255
    x_val = np.expand_dims(x_val[:limit], -1).astype("float32") / 255
    y_val = to_categorical(y_val[:limit], 10)
    return (x, to_categorical(y[:limit], 10)), (x_val, y_val)


(x_train, y_train), (x_val, y_val) = prepare_mnist(256)

model = Sequential()
model.add(Input((28, 28, 1)))
model.add(Conv2D(8, (5, 5), strides=2, activation="relu"))
model.add(MaxPooling2D())
model.add(Flatten())
model.add(Dense(10, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x_train, y_train, validation_data=(x_val, y_val), batch_size=64, verbose=0)
