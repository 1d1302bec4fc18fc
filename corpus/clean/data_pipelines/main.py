"""Input pipelines of many kinds; each prints the shapes that reach the model."""
import collections
import functools
import io
import os
import tempfile

import numpy as np
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
Example = collections.namedtuple("Example", ["tokens", "length", "label"])


def ragged_texts(count=20, seed=0):
    rng = np.random.default_rng(seed)
    for number in range(count):
        length = int(rng.integers(3, 12))
        yield rng.integers(1, 50, size=length), length, number % 3


def text_pipeline(batch=6):
    spec = (
        tf.TensorSpec([None], tf.int32),
        tf.TensorSpec([], tf.int32),
        tf.TensorSpec([], tf.int32),
    )
    data = tf.data.Dataset.from_generator(ragged_texts, output_signature=spec)
    data = data.map(lambda tokens, length, label: Example(tokens, length, tf.one_hot(label, 3)))
    data = data.padded_batch(batch, padded_shapes=Example([None], [], [3]))

    def to_bags(example):
        mask = tf.sequence_mask(example.length, dtype=tf.float32)
        hot = tf.one_hot(example.tokens, 50) * mask[..., tf.newaxis]
        return tf.reduce_sum(hot, axis=1) / tf.cast(example.length, tf.float32)[:, None], example.label

    return data.map(to_bags).prefetch(AUTOTUNE)


def sliding(series, window, horizon=2, batch=5):
    """Windows of (batch, window, features) with targets (batch, horizon)."""
    data = tf.data.Dataset.from_tensor_slices(series)
    data = data.window(window + horizon, shift=3, drop_remainder=True)
    data = data.flat_map(lambda part: part.batch(window + horizon))

    def cut(rows):
        rows.set_shape([window + horizon, series.shape[1]])
        return rows[:window], rows[window:, 0]

    return data.map(cut).batch(batch)


@tf.function
def augment(image, label, size=(20, 20)):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.resize_with_crop_or_pad(image, 28, 28)
    image = tf.image.random_crop(image, [*size, 3])
    if tf.random.uniform([]) > 0.5:
        image = tf.image.rgb_to_grayscale(image)
        image = tf.image.grayscale_to_rgb(image)
    return image, label


def image_pipeline(count=10):
    images = np.random.default_rng(2).random((count, 24, 24, 3)).astype("float32")
    labels = np.arange(count) % 2
    data = tf.data.Dataset.from_tensor_slices((images, labels)).repeat(2).shuffle(50, seed=1)
    return data.map(augment, num_parallel_calls=AUTOTUNE).batch(4)


def mixup(data):
    """Pairs every batch with a shuffled copy; ratios have one value per row."""

    def mix(first, second):
        (xa, ya), (xb, yb) = first, second
        count = tf.minimum(tf.shape(xa)[0], tf.shape(xb)[0])
        ratio = tf.random.uniform([count])
        x = xa[:count] * tf.reshape(ratio, [-1, 1, 1, 1]) + xb[:count] * tf.reshape(1 - ratio, [-1, 1, 1, 1])
        ya, yb = tf.one_hot(ya[:count], 2), tf.one_hot(yb[:count], 2)
        return x, ya * ratio[:, tf.newaxis] + yb * (1 - ratio)[:, tf.newaxis]

    return tf.data.Dataset.zip((data, data.shuffle(3))).map(mix)


def records(folder, count=9):
    path = os.path.join(folder, "points.tfrecord")
    rng = np.random.default_rng(3)
    with tf.io.TFRecordWriter(path) as writer:
        for k in range(count):
            feature = {
                "point": tf.train.Feature(float_list=tf.train.FloatList(value=rng.normal(size=12))),
                "kind": tf.train.Feature(int64_list=tf.train.Int64List(value=[k % 4])),
            }
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    schema = {
        "point": tf.io.FixedLenFeature([12], tf.float32),
        "kind": tf.io.FixedLenFeature([], tf.int64),
    }

    def parse(raw):
        item = tf.io.parse_single_example(raw, schema)
        return tf.reshape(item["point"], [4, 3]), item["kind"]

    return tf.data.TFRecordDataset(path).map(parse).batch(4)


def csv_rows():
    text = "\n".join(f"{k},{k * k},{k % 2}" for k in range(7))
    table = np.loadtxt(io.StringIO(text), delimiter=",")
    features, label = table[:, :-1], table[:, -1]
    features = (features - features.mean(0)) / features.std(0)
    return tf.data.Dataset.from_tensor_slices(({"row": features}, label)).batch(3)


def describe(name, data, limit=2):
    for inputs, targets in data.take(limit):
        shapes = {k: tuple(v.shape) for k, v in inputs.items()} if isinstance(inputs, dict) else tuple(inputs.shape)
        print(f"{name:<8}", shapes, tuple(targets.shape))


def fit(data, model, loss, steps=4):
    optimizer = tf.keras.optimizers.SGD(0.05)
    for _, (x, y) in zip(range(steps), data):
        with tf.GradientTape() as tape:
            value = loss(y, model(x))
        optimizer.apply_gradients(zip(tape.gradient(value, model.trainable_weights), model.trainable_weights))
    return float(value)


def main():
    tf.random.set_seed(0)
    layers = tf.keras.layers
    describe("texts", text_pipeline())
    print(fit(text_pipeline(), tf.keras.Sequential([layers.Dense(3, activation="softmax")]),
              tf.keras.losses.CategoricalCrossentropy()))

    series = np.cumsum(np.random.default_rng(1).normal(size=(60, 3)), axis=0).astype("float32")
    windows = functools.partial(sliding, series)
    for window in (8, 12):
        describe("series", windows(window))
        forecaster = tf.keras.Sequential([layers.Flatten(), layers.Dense(2)])
        print(fit(windows(window), forecaster, tf.keras.losses.MeanSquaredError()))

    describe("images", image_pipeline())
    describe("mixed", mixup(image_pipeline()))
    with tempfile.TemporaryDirectory() as folder:
        describe("records", records(folder))
    describe("table", csv_rows())


main()
