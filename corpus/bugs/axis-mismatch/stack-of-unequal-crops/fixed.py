import numpy as np

CROP = 24


def crop(image, top, left, size=CROP):
    return image[top:top + size, left:left + size]


photo = np.random.default_rng(6).random((64, 64, 3))
corners = [(0, 0), (0, 40), (40, 0), (40, 40)]
crops = [crop(photo, top, left) for top, left in corners]
batch = np.stack(crops)
batch -= batch.mean(axis=0)
print(batch.shape, batch.mean(axis=(1, 2)))
