import tensorflow as tf


def pad_to_square(image):
    height, width = tf.shape(image)[:2]
    side = tf.maximum(height, width)
    return tf.image.resize_with_crop_or_pad(image, side, side)


def pictures():
    for size in [(10, 14), (9, 6), (12, 12)]:
        yield tf.random.uniform([*size, 3])


spec = tf.TensorSpec([None, None, 3], tf.float32)
dataset = tf.data.Dataset.from_generator(pictures, output_signature=spec).map(pad_to_square)
print([image.shape.as_list() for image in dataset])
