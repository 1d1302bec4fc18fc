import numpy as np

SIZE = 256
MEAN = np.array([0.485, 0.456, 0.406])
STD = np.array([0.229, 0.224, 0.225])


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, image):
        for step in self.steps:
            image = step(image)
        return image


class HorizontalFlip:
    def __init__(self, p):
        self.p = p

    def __call__(self, image):
        return image[:, ::-1] if np.random.rand() < self.p else image


class Normalize:
    def __init__(self, mean, std, max_pixel_value=255.0):
        self.mean, self.std, self.max = mean, std, max_pixel_value

    def __call__(self, image):
        image = image.astype(np.float32) / self.max
        return (image - self.mean) / self.std


class MapDataset:
    """A satellite picture and the map drawn from it, side by side in one file."""

    def __init__(self, count, transform):
        self.count = count
        self.transform = transform

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        rng = np.random.RandomState(index)
        both = rng.randint(0, 256, size=(SIZE, 2 * SIZE, 3))
        picture, drawing = both[:, :SIZE], both[:, SIZE:]
        drawing = np.repeat(drawing[:, :, :1], 3, axis=2)
        return self.transform(picture), self.transform(drawing)


dataset = MapDataset(4, Compose([HorizontalFlip(p=0.5), Normalize(MEAN, STD)]))
for index in range(len(dataset)):
    x, y = dataset[index]
    print(index, x.shape, y.shape, float(x.mean()), float(y.mean()))
