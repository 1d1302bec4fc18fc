import keras
import numpy as np

N_COLORS, N_SHAPES = 5, 3


def targets(count, seed):
    rng = np.random.default_rng(seed)
    color = rng.integers(0, N_COLORS, count)
    shape = rng.integers(0, N_SHAPES, count)
    return {
        "color": keras.utils.to_categorical(color, N_COLORS),
        "shape": keras.utils.to_categorical(shape, N_SHAPES + 1),
    }


def build():
    image = keras.Input((20, 20, 3), name="image")
    x = keras.layers.Conv2D(6, 5, activation="relu")(image)
    x = keras.layers.GlobalMaxPooling2D()(x)
    outputs = {
        "color": keras.layers.Dense(N_COLORS, activation="softmax", name="color")(x),
        "shape": keras.layers.Dense(N_SHAPES, activation="softmax", name="shape")(x),
    }
    return keras.Model(inputs=image, outputs=outputs)


model = build()
model.compile(
    optimizer="adam",
    loss={"color": "categorical_crossentropy", "shape": "categorical_crossentropy"},
    loss_weights={"color": 1.0, "shape": 0.5},
)
images = np.random.default_rng(0).random((30, 20, 20, 3))
model.fit({"image": images}, targets(30, 1), epochs=1, verbose=0)
