import numpy as np
from tensorflow.keras.layers import LSTM, Conv2D, Dense, Flatten, MaxPooling2D, TimeDistributed
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.image import ImageDataGenerator

FRAMES = 5
SIDE = 32
ACTIONS = ["walk", "run", "jump"]


def load_clips(count=18):
    rng = np.random.RandomState(0)
    clips = rng.randint(0, 255, size=(count, FRAMES, SIDE, SIDE, 3)).astype("float32")
    labels = np.eye(len(ACTIONS))[np.arange(count) % len(ACTIONS)]
    return clips, labels


def clip_batches(clips, labels, size):
    while True:
        for start in range(0, len(clips), size):
            yield clips[start:start + size] / 255.0, labels[start:start + size]


def build_model():
    model = Sequential()
    model.add(TimeDistributed(Conv2D(4, (3, 3), activation="relu"), input_shape=(FRAMES, SIDE, SIDE, 3)))
    model.add(TimeDistributed(MaxPooling2D((2, 2))))
    model.add(TimeDistributed(Flatten()))
    model.add(LSTM(8))
    model.add(Dense(len(ACTIONS), activation="softmax"))
    model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
    return model


clips, labels = load_clips()
model = build_model()

frames = clips.reshape(-1, SIDE, SIDE, 3)
frame_labels = np.repeat(labels, FRAMES, axis=0)
datagen = ImageDataGenerator(rescale=1.0 / 255, horizontal_flip=True)
train = datagen.flow(frames, frame_labels, batch_size=6)
model.fit(train, steps_per_epoch=3, epochs=1, verbose=0)
