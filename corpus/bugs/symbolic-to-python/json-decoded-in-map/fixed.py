import json

import tensorflow as tf

records = [json.dumps({"age": age, "income": age * 900.0}) for age in (31, 44, 58)]


def parse(line):
    record = json.loads(line.numpy())
    return tf.constant([record["age"], record["income"]], tf.float32)


def decode(line):
    return tf.ensure_shape(tf.py_function(parse, [line], tf.float32), [2])


dataset = tf.data.Dataset.from_tensor_slices(records).map(decode).batch(3)
for batch in dataset:
    print(batch.shape)
