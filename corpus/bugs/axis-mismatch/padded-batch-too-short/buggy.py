import numpy as np
import tensorflow as tf

MAX_FRAMES = 24
FEATURES = 13


def clip(frames, label):
    frames = frames[:32]
    frames = tf.ensure_shape(frames, (32, FEATURES))
    return frames, label


def dataset(frames, labels, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((frames, labels))
    ds = ds.map(clip)
    return ds.padded_batch(
        batch_size,
        padded_shapes=([MAX_FRAMES, FEATURES], []),
    )


rng = np.random.default_rng(4)
frames = rng.normal(size=(20, 40, FEATURES)).astype("float32")
labels = rng.integers(0, 2, 20)
total = 0.0
for batch, label in dataset(frames, labels, 4):
    total += float(tf.reduce_sum(batch))
print(total)
