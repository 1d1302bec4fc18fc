import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models
from tensorflow.keras.callbacks import EarlyStopping, ReduceLROnPlateau

EMOTIONS = ["angry", "contempt", "disgust", "fear", "happy", "neutral", "sad", "surprise"]
WIDTH, HEIGHT = 48, 48


def parse_pixels(lines):
    """Rows are 'label;p p p ...' as in the published table."""
    faces, labels = [], []
    for line in lines:
        label, pixels = line.split(";")
        face = np.array([int(p) for p in pixels.split(" ")], dtype="float32")
        faces.append(face.reshape(WIDTH, HEIGHT, 1) / 255.0)
        labels.append(int(label))
    return np.asarray(faces), np.asarray(labels)


def fake_lines(count, rng):
    for i in range(count):
        pixels = rng.randint(0, 256, size=WIDTH * HEIGHT)
        yield "%d;%s" % (i % len(EMOTIONS), " ".join(str(p) for p in pixels))


def to_one_hot(labels):
    return tf.keras.utils.to_categorical(labels, num_classes=len(EMOTIONS))


def build():
    net = models.Sequential()
    net.add(layers.Conv2D(8, (5, 5), activation="relu", input_shape=(WIDTH, HEIGHT, 1)))
    net.add(layers.MaxPooling2D(pool_size=(5, 5), strides=(2, 2)))
    net.add(layers.Conv2D(8, (3, 3), activation="relu"))
    net.add(layers.AveragePooling2D(pool_size=(3, 3), strides=(2, 2)))
    net.add(layers.Flatten())
    net.add(layers.Dense(64, activation="relu"))
    net.add(layers.Dropout(0.2))
    net.add(layers.Dense(len(EMOTIONS), activation="softmax"))
    net.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    return net


rng = np.random.RandomState(1)
faces, labels = parse_pixels(fake_lines(48, rng))
y = to_one_hot(labels)
callbacks = [EarlyStopping(patience=3), ReduceLROnPlateau(factor=0.5, patience=2)]
net = build()
net.fit(faces[:40], y[:40], batch_size=8, epochs=1, validation_data=(faces[40:], y[40:]),
        callbacks=callbacks, verbose=0)
print(net.evaluate(faces[40:], y[40:], verbose=0))
