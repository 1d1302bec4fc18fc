"""Levels of rivers: generators with signatures, windows of a dataset, sizes asked with `tf.shape` and with `.shape`."""
import numpy as np
import tensorflow as tf

GAUGES = 4


def readings(days, seed):
    rng = np.random.default_rng(seed)
    level = rng.uniform(1.0, 2.0, GAUGES)
    for day in range(days):
        level = np.clip(level + rng.normal(0.0, 0.1, GAUGES), 0.2, 4.0)
        yield {"day": day, "level": level.astype(np.float32)}, np.float32(level.max() > 2.0)


SIGNATURE = (
    {"day": tf.TensorSpec([], tf.int32), "level": tf.TensorSpec([GAUGES], tf.float32)},
    tf.TensorSpec([], tf.float32),
)


def stretch(features, flood):
    levels = tf.stack([features["level"], features["level"] ** 2], axis=-1)
    gauges, channels = levels.shape
    return tf.reshape(levels, [gauges * channels]), flood


@tf.function(input_signature=[tf.TensorSpec([None, 2 * GAUGES]), tf.TensorSpec([None])])
def risk(levels, floods):
    rows = tf.shape(levels)[0]
    width = levels.shape[1]
    weights = tf.ones([rows, width]) / width
    score = tf.reduce_sum(weights * levels, axis=1)
    if levels.shape[0] is None:
        tf.debugging.assert_equal(tf.shape(score), [rows])
    share = tf.reduce_sum(floods) / tf.cast(rows, tf.float32)
    return score, share


def main():
    for days in (10, 13):
        table = tf.data.Dataset.from_generator(readings, args=(days, 7), output_signature=SIGNATURE)
        for levels, floods in table.map(stretch).batch(5):
            score, share = risk(levels, floods)
            print(days, score.shape, f"{float(share):.2f}")


main()
