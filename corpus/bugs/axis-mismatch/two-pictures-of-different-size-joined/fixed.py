import numpy as np
from tensorflow import keras
from tensorflow.keras.layers import (
    Concatenate, Conv2D, Dense, Flatten, GlobalAveragePooling2D, Input, MaxPooling2D
)

FACE = (64, 64, 3)
SCENE = (128, 128, 3)


def branch(shape, filters, name):
    image = Input(shape=shape, name=name)
    x = Conv2D(filters, (3, 3), activation="relu", name=name + "_conv")(image)
    x = MaxPooling2D((2, 2), name=name + "_pool")(x)
    x = GlobalAveragePooling2D(name=name + "_mean")(x)
    return image, x


# ---- model -------------------------------------------------------------
face, face_map = branch(FACE, 16, "face")
scene, scene_map = branch(SCENE, 32, "scene")

merged = Concatenate()([face_map, scene_map])
x = Dense(16, activation="relu")(merged)
valence = Dense(1, name="valence")(x)
arousal = Dense(1, name="arousal")(x)

model = keras.Model(inputs=[face, scene], outputs=[valence, arousal])
model.compile(optimizer="adam", loss={"valence": "mse", "arousal": "mse"})

# ---- data ---------------------------------------------------------------
n = 6
faces = np.random.random((n,) + FACE).astype("float32")
scenes = np.random.random((n,) + SCENE).astype("float32")
targets = {"valence": np.random.random((n, 1)), "arousal": np.random.random((n, 1))}

model.fit({"face": faces, "scene": scenes}, targets, epochs=1, batch_size=2, verbose=0)
