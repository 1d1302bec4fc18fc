import numpy as np

NET_SIZE = 128


def example(height=56, width=56):
    y, x = np.mgrid[:height, :width]
    return np.stack([x, y, x + y], axis=2) / float(height + width)


def resize(image, size):
    rows = np.arange(size) * image.shape[0] // size
    columns = np.arange(size) * image.shape[1] // size
    return image[rows][:, columns]


def punch_holes(image, count, rng):
    mask = np.ones(image.shape[:2] + (1,))
    for _ in range(count):
        top, left = rng.randint(image.shape[0] - 8), rng.randint(image.shape[1] - 8)
        mask[top:top + 8, left:left + 8] = 0
    return image * mask, mask


class Completion:
    """Fills the holes with the mean of what is left."""

    def restore(self, image, mask):
        image = resize(image, NET_SIZE)
        mask = resize(mask, NET_SIZE)
        mean = (image * mask).sum(axis=(0, 1)) / mask.sum()
        return image * mask + mean * (1 - mask)


rng = np.random.RandomState(3)
network = Completion()
for turn in range(2):
    img = example()
    damaged, mask = punch_holes(img, 4, rng)
    recon_img = network.restore(damaged, mask)
    blank = np.ones((img.shape[0], 4, 3))
    view = np.hstack((img, blank, recon_img[:, :, [2, 1, 0]]))
    print(turn, view.shape, view.mean())
