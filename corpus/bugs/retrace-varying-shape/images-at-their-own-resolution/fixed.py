import tensorflow as tf

sizes = [(24, 32), (40, 30), (18, 18), (25, 50), (33, 21), (48, 48)]
photos = [tf.random.uniform([height, width, 3], seed=height) for height, width in sizes]


@tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.float32)])
def edges(photo):
    grey = tf.image.rgb_to_grayscale(photo)[tf.newaxis]
    dx, dy = tf.image.image_gradients(grey)
    return tf.sqrt(dx**2 + dy**2 + 1e-12)[0]


for (height, width), photo in zip(sizes, photos):
    strength = tf.reduce_mean(edges(photo))
    print(f"{height}x{width}: {strength:.3f}")
