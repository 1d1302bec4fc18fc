import tensorflow as tf


@tf.function
def augment(image, seed):
    pair = tf.stack([7, seed])
    image = tf.image.stateless_random_flip_left_right(image, pair)
    image = tf.image.stateless_random_brightness(image, 0.2, pair)
    return tf.clip_by_value(image, 0.0, 1.0)


images = tf.random.uniform([12, 16, 16, 3])
augmented = []
for index, image in enumerate(images):
    augmented.append(augment(image, seed=tf.constant(index)))
batch = tf.stack(augmented)
print(batch.shape, float(tf.reduce_mean(batch)))
