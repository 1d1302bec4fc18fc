import json

import tensorflow as tf

records = [json.dumps({"age": age, "income": age * 900.0}) for age in (31, 44, 58)]


def decode(line):
    record = json.loads(line)
    return tf.stack([record["age"], record["income"]])


dataset = tf.data.Dataset.from_tensor_slices(records).map(decode).batch(3)
for batch in dataset:
    print(batch.shape)
