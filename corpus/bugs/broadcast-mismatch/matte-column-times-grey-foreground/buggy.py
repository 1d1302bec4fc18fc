import os

import numpy as np

H, W = 90, 160


def read_gray(path):
    if os.path.exists(path):
        return np.load(path)
    return np.random.RandomState(len(path)).rand(H, W)


def read_color(path):
    return np.stack([read_gray(path + c) for c in "rgb"], axis=2)


def generate_composite(fg, bg, alpha):
    """What the camera would see: the foreground where the matte is 1, else the background."""
    if alpha.ndim == 2:
        alpha = alpha[:, :, np.newaxis]
    composite = alpha * fg + (1 - alpha) * bg
    return composite


class MattingData:
    def __init__(self, names, size=(64, 64)):
        self.names = names
        self.size = size

    def crop(self, *images):
        top = np.random.randint(H - self.size[0])
        left = np.random.randint(W - self.size[1])
        return [image[top:top + self.size[0], left:left + self.size[1]] for image in images]

    def item(self, name):
        alpha = read_gray(name + "_alpha.npy")
        fg = read_gray(name + "_fg.npy")
        bg = read_color(name + "_bg.npy")
        composite = generate_composite(fg, bg, alpha)
        return self.crop(composite, alpha)


data = MattingData(["cat", "glass", "plant"])
for name in data.names:
    image, alpha = data.item(name)
    print(name, image.shape, alpha.shape)
