import tensorflow as tf


def mixup(images, labels):
    mixed = []
    for i in range(images.shape[0]):
        j = (i + 1) % 4
        mixed.append(0.7 * images[i] + 0.3 * images[j])
    return tf.stack(mixed), labels


images = tf.random.uniform([12, 6, 6, 1])
labels = tf.one_hot(tf.range(12) % 3, 3)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(4).map(mixup)
print(dataset.element_spec)
