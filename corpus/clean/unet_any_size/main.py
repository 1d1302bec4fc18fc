"""U-Net trained on mixed image sizes, including odd ones."""
import argparse

import keras
import numpy as np
from keras import layers

from blocks import CropLike, double_conv, squeeze_excite

SIZES = [(32, 32), (40, 24), (37, 29)]


def build(shape=(None, None, 3), filters=(8, 12, 16), classes=3, mode="upsample", attention=False, pad_first=True):
    inputs = keras.Input(shape)
    x = inputs
    skips = []
    for level, count in enumerate(filters[:-1]):
        x = double_conv(x, count, f"down{level}")
        skips.append(x)
        # 'same' pooling rounds odd sizes up, so the way up has to be cropped
        x = layers.MaxPooling2D(2, padding="same" if pad_first else "valid")(x)
    x = double_conv(x, filters[-1], "bottom")
    if attention:
        x = squeeze_excite(x)
    for level in range(len(skips) - 1, -1, -1):
        count = filters[level]
        if mode == "transpose":
            x = layers.Conv2DTranspose(count, 2, strides=2, padding="same")(x)
        elif mode == "upsample":
            x = layers.UpSampling2D(2)(x)
            x = layers.Conv2D(count, 2, padding="same")(x)
        else:
            raise ValueError(f"unknown mode {mode}")
        x = CropLike()([x, skips[level]])
        x = layers.Concatenate()([skips[level], x])
        x = double_conv(x, count, f"up{level}")
    if classes == 1:
        outputs = layers.Conv2D(1, 1, activation="sigmoid")(x)
    else:
        outputs = layers.Conv2D(classes, 1, activation="softmax")(x)
    return keras.Model(inputs, outputs, name=f"unet_{mode}")


def circles(count, height, width, classes, seed=0):
    """Images with one disc; the mask holds class ids or a single foreground channel."""
    rng = np.random.default_rng(seed)
    yy = np.arange(height)[:, None]
    xx = np.arange(width)[None, :]
    images = rng.normal(0, 0.1, (count, height, width, 3)).astype("float32")
    masks = np.zeros((count, height, width), dtype="int32")
    for k in range(count):
        cy, cx, r = rng.integers(4, height - 4), rng.integers(4, width - 4), rng.integers(3, 8)
        disc = (yy - cy) ** 2 + (xx - cx) ** 2 <= r ** 2
        label = 1 + k % max(classes - 1, 1)
        masks[k][disc] = label
        images[k][disc] += label * 0.5
    return images, masks if classes > 1 else (masks[..., None] > 0).astype("float32")


def dice(truth, guess, eps=1e-6):
    """Dice score per class, averaged; inputs (batch, h, w, classes)."""
    both = np.sum(truth * guess, axis=(0, 1, 2))
    either = np.sum(truth, axis=(0, 1, 2)) + np.sum(guess, axis=(0, 1, 2))
    return float(np.mean((2 * both + eps) / (either + eps)))


def generator(classes, steps, batch=4):
    for step in range(steps):
        height, width = SIZES[step % len(SIZES)]
        yield circles(batch, height, width, classes, seed=step)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--classes", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    args, _ = parser.parse_known_args(argv)

    keras.utils.set_random_seed(2)
    for mode, classes, attention in [("upsample", args.classes, False), ("transpose", 1, True)]:
        model = build(classes=classes, mode=mode, attention=attention)
        loss = "binary_crossentropy" if classes == 1 else "sparse_categorical_crossentropy"
        model.compile("adam", loss)
        for images, masks in generator(classes, args.steps):
            value = model.train_on_batch(images, masks)
        images, masks = circles(2, 33, 45, classes, seed=50)
        guess = model.predict(images, verbose=0)
        truth = np.eye(classes)[masks] if classes > 1 else masks
        print(mode, float(value), guess.shape, "dice", round(dice(truth, guess), 3))

    # one image through the network without and with its mirror image
    picture, _ = circles(1, 40, 40, 3, seed=9)
    both = np.concatenate([picture, picture[:, :, ::-1]])
    model = build(classes=2, mode="transpose", filters=(4, 8))
    plain, mirrored = model.predict(both, verbose=0)
    blended = (plain + mirrored[:, ::-1]) / 2
    print("blended", blended.shape, blended.argmax(-1).sum())

    # a fixed-size network needs no cropping, the layer then does nothing
    fixed = build(shape=(64, 48, 3), classes=4, filters=(4, 8), pad_first=False)
    assert fixed.output_shape == (None, 64, 48, 4)
    print(fixed.count_params())


if __name__ == "__main__":
    main([])
