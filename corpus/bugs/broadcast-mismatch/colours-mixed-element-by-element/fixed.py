import tensorflow as tf

to_sepia = tf.constant(
    [
        [0.39, 0.77, 0.19, 0.0],
        [0.35, 0.69, 0.17, 0.0],
        [0.27, 0.53, 0.13, 0.0],
    ]
)


def tinted(colour):
    with_opacity = tf.concat([colour, [1.0]], axis=0)
    column = tf.reshape(with_opacity, [4, 1])
    return tf.squeeze(tf.matmul(to_sepia, column), axis=1)


print(tinted(tf.constant([0.2, 0.5, 0.9])))
