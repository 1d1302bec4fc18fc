import tensorflow as tf


def attach_style(content, style):
    """Append the style vector to every position of the content map."""
    steps = content.shape[1]
    style = tf.expand_dims(style, 1)
    repeated = tf.tile(style, [1, steps, 1])
    return tf.concat([content, repeated], axis=-1)


content = tf.random.normal([4, 15, 32])
style = tf.random.normal([4, 8])

# mix the styles of neighbours
style = 0.5 * (style + tf.roll(style, shift=1, axis=0))
print(attach_style(content, style).shape)
