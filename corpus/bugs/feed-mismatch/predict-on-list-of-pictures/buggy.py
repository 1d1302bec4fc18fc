import keras
import numpy as np
from PIL import Image

SIZE = (24, 24)
LABELS = ["cat", "dog", "fox"]


def save_sample(path):
    pixels = np.random.default_rng(0).integers(0, 255, size=(50, 60, 3)).astype("uint8")
    Image.fromarray(pixels).save(path)


def read(path):
    image = keras.utils.load_img(path, target_size=SIZE)
    array = keras.utils.img_to_array(image) / 255.0
    return array


inputs = keras.Input((*SIZE, 3))
x = keras.layers.Conv2D(8, 3, activation="relu")(inputs)
x = keras.layers.GlobalAveragePooling2D()(x)
model = keras.Model(inputs, keras.layers.Dense(len(LABELS), activation="softmax")(x))
save_sample("new.png")
probabilities = model.predict(read("new.png"), verbose=0)
print(LABELS[int(np.argmax(probabilities[0]))])
