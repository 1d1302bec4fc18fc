import keras
import numpy as np

rng = np.random.default_rng(11)
faces = rng.random((32, 24, 24, 1)).astype("float32")
ages = keras.utils.to_categorical(rng.integers(0, 6, 32), 6)
gender = keras.utils.to_categorical(rng.integers(0, 2, 32), 2)

inp = keras.layers.Input(shape=(24, 24, 1))
x = keras.layers.Conv2D(8, 3, activation="relu")(inp)
x = keras.layers.MaxPooling2D(2)(x)
x = keras.layers.Flatten()(x)
age_out = keras.layers.Dense(6, activation="softmax", name="age")(x)
gender_out = keras.layers.Dense(2, activation="softmax", name="gender")(x)
model = keras.models.Model(inputs=inp, outputs=[age_out, gender_out])
model.compile(
    optimizer="adam",
    loss=["categorical_crossentropy", "categorical_crossentropy"],
    metrics=[["accuracy"], ["accuracy"]],
)
model.fit(faces, [ages, gender], epochs=1, batch_size=8, verbose=0)
