import keras
import numpy as np
from keras import layers

config = dict(side=96, mask_side=184, batch=2, threshold=0.4)


def read(seed, side):
    rng = np.random.default_rng(seed)
    picture = rng.random((side, side, 3), dtype="float32")
    mask = (picture.mean(axis=-1, keepdims=True) > 0.5).astype("float32")
    return picture, mask


def dataset(seeds, side):
    pairs = [read(seed, side) for seed in seeds]
    return np.stack([p for p, _ in pairs]), np.stack([m for _, m in pairs])


def dice(y_true, y_pred):
    both = keras.ops.sum(y_true * y_pred)
    return (2 * both + 1) / (keras.ops.sum(y_true) + keras.ops.sum(y_pred) + 1)


def linknet(side):
    inputs = layers.Input((side, side, 3))
    d1 = layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(inputs)
    d2 = layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(d1)
    u1 = layers.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu")(d2)
    u1 = layers.add([u1, d1])
    u2 = layers.Conv2DTranspose(4, 3, strides=2, padding="same", activation="relu")(u1)
    return keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid")(u2))


Xtrain, ytrain = dataset(range(6), config["side"])
Xtest, ytest = dataset(range(6, 8), config["side"])
model = linknet(config["side"])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=[dice])
model.fit(Xtrain, ytrain, epochs=1, batch_size=config["batch"], verbose=0)

for i in range(len(Xtest)):
    predicted = model.predict(np.expand_dims(Xtest[i], axis=0), verbose=0)
    predicted = predicted.reshape(config["mask_side"], config["mask_side"])
    print(i, "share of the mask", (predicted > config["threshold"]).mean())
