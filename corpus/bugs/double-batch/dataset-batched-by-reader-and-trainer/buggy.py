import tensorflow as tf

BATCH = 16


def load():
    numbers = tf.data.Dataset.from_tensor_slices(tf.random.uniform([64, 3]))
    return numbers.shuffle(64).batch(BATCH)


training = load().prefetch(2).batch(BATCH)
for batch in training.take(1):
    print(batch.shape)
