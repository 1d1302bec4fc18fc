import tensorflow as tf


def flip(image, lucky):
    return tf.cond(lucky, lambda: image[:, ::-1], lambda: image)


images = tf.data.Dataset.from_tensor_slices((tf.zeros([4, 8, 8]), [True, False, True, False]))
for image in images.map(flip):
    print(image.shape)
