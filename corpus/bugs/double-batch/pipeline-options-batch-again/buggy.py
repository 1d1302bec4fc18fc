import tensorflow as tf


def finish(dataset, size, shuffle=True):
    if shuffle:
        dataset = dataset.shuffle(100)
    return dataset.batch(size).prefetch(tf.data.AUTOTUNE)


words = tf.data.Dataset.from_tensor_slices(tf.range(90))
ready = finish(words.batch(10), 10)
print(next(iter(ready)).shape)
