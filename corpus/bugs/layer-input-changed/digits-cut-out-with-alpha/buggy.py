import numpy as np
from PIL import Image
from tensorflow import keras

SIDE = 28
MODE = "LA"


def cut(page, boxes):
    """The digits in the boxes, each as an array."""
    digits = []
    for left, top, right, bottom in boxes:
        piece = page.crop((left - 2, top, right + 2, bottom))
        digit = piece.resize((SIDE, SIDE))
        digits.append(np.array(digit.convert(MODE)))
    return np.array(digits) / 255.0


page = Image.new("RGB", (400, 300), color=(255, 255, 255))
boxes = [(10, 12, 40, 44), (50, 12, 82, 44), (96, 12, 120, 44)]
digits = cut(page, boxes)

model = keras.Sequential(
    [
        keras.Input((SIDE, SIDE)),
        keras.layers.Flatten(),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(10),
    ]
)
scores = model(digits[:1])
print(scores.numpy().argmax(axis=1))
