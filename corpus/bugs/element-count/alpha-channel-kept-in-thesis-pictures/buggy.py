import numpy as np
from keras.layers import Conv2D, Input
from keras.models import Model, Sequential

SIZE = 66
COUNT = 19


def load(folder, count=COUNT):
    """All pictures of a folder with their four channels."""
    rng = np.random.RandomState(len(folder))
    images = np.zeros((count, SIZE, SIZE, 4))
    for n in range(count):
        images[n] = rng.randint(0, 256, size=(SIZE, SIZE, 4))
    return images


def grey(images):
    return images[..., :3]


x_train = grey(load("input"))
y_train = grey(load("output"))
x_train = x_train.astype("float32") / 255.0
y_train = y_train.astype("float32") / 255.0
x_train = x_train.reshape(COUNT, SIZE, SIZE, 1)
y_train = y_train.reshape(COUNT, SIZE, SIZE, 1)

denoiser = Sequential([
    Input((SIZE, SIZE, 1)),
    Conv2D(16, (9, 9), activation="relu", padding="same"),
    Conv2D(8, (1, 1), activation="relu", padding="same"),
    Conv2D(1, (5, 5), padding="same"),
])
denoiser.compile(optimizer="adam", loss="mse")
denoiser.fit(x_train[:16], y_train[:16], epochs=1, batch_size=8, verbose=0,
             validation_data=(x_train[16:], y_train[16:]))

restored = denoiser.predict(x_train[:1], verbose=0)
print("error", float(np.abs(restored - y_train[:1]).mean()))
