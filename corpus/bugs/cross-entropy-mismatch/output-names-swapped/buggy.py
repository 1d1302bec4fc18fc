import keras
import numpy as np
from keras import layers


class MultiTask:
    def __init__(self, width, emotions, speakers):
        self.width, self.emotions, self.speakers = width, emotions, speakers

    def build(self):
        inputs = layers.Input(shape=(self.width,))
        x = layers.Dense(32, activation="relu")(inputs)
        emotion = layers.Dense(self.emotions, activation="softmax", name="emotion")(x)
        speaker = layers.Dense(self.speakers, activation="softmax", name="speaker")(x)
        model = keras.Model(inputs, [emotion, speaker])
        model.compile(
            optimizer="adam",
            loss={"emotion": "categorical_crossentropy", "speaker": "categorical_crossentropy"},
        )
        return model


rng = np.random.default_rng(0)
features = rng.normal(size=(30, 40))
emotion = keras.utils.to_categorical(rng.integers(0, 5, 30), 5)
speaker = keras.utils.to_categorical(rng.integers(0, 12, 30), 12)
model = MultiTask(40, 5, 12).build()
model.fit(features, {"emotion": speaker, "speaker": emotion}, epochs=1, verbose=0)
