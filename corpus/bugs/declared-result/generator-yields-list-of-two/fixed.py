import tensorflow as tf


def pairs():
    for number in range(6):
        yield [float(number)] * 3, [float(number) ** 2]


data = tf.data.Dataset.from_generator(
    pairs, output_signature=(tf.TensorSpec([3], tf.float32), tf.TensorSpec([1], tf.float32))
)
total = sum(float(y[0]) for _, y in data)
print(total)
