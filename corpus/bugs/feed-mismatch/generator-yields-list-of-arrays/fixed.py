import keras
import numpy as np

HEIGHT, WIDTH = 30, 20


def crop(image, height, width):
    top = (image.shape[0] - height) // 2
    left = (image.shape[1] - width) // 2
    return image[top:top + height, left:left + width]


def batch_generator(images, labels, size):
    while True:
        picked = np.random.choice(len(images), size)
        batch = []
        for i in picked:
            batch.append(crop(images[i], HEIGHT, WIDTH))
        yield np.array(batch), labels[picked]


rng = np.random.default_rng(0)
images = rng.random((40, 50, 50, 3)).astype("float32")
labels = rng.integers(0, 2, 40)
inputs = keras.Input((HEIGHT, WIDTH, 3))
x = keras.layers.Conv2D(4, 3, activation="relu")(inputs)
x = keras.layers.Flatten()(x)
model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy")
model.fit(batch_generator(images, labels, 8), steps_per_epoch=3, epochs=1, verbose=0)
