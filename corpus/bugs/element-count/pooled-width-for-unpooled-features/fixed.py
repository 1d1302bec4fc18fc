import numpy as np
from keras.applications import ResNet50
from keras.applications.resnet import preprocess_input

BATCH = 4
SIDE = 64


class FeatureWriter:
    """Collects features in a buffer, as one would in a file."""

    def __init__(self, dims, buffer_size=10):
        self.features = np.zeros(dims, dtype="float32")
        self.labels = np.zeros((dims[0],), dtype="int")
        self.buffer = {"features": [], "labels": []}
        self.buffer_size = buffer_size
        self.idx = 0

    def add(self, rows, labels):
        self.buffer["features"].extend(rows)
        self.buffer["labels"].extend(labels)
        if len(self.buffer["features"]) >= self.buffer_size:
            self.flush()

    def flush(self):
        i = self.idx + len(self.buffer["features"])
        self.features[self.idx:i] = self.buffer["features"]
        self.labels[self.idx:i] = self.buffer["labels"]
        self.idx = i
        self.buffer = {"features": [], "labels": []}


def pictures(count):
    rng = np.random.default_rng(50)
    return rng.uniform(0, 255, size=(count, SIDE, SIDE, 3)).astype("float32")


images = pictures(8)
labels = np.arange(8) % 2
model = ResNet50(weights=None, include_top=False, input_shape=(SIDE, SIDE, 3), pooling="avg")
writer = FeatureWriter((len(images), 2048))

for i in range(0, len(images), BATCH):
    batch = preprocess_input(images[i:i + BATCH])
    features = model.predict(batch, batch_size=BATCH, verbose=0)
    features = features.reshape((features.shape[0], 2048))
    writer.add(features, labels[i:i + BATCH])
writer.flush()
print(writer.features.shape, writer.labels)
