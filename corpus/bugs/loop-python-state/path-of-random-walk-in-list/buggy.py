import tensorflow as tf


@tf.function
def walk(limit):
    position = tf.zeros([2])
    path = [position]
    while tf.norm(position) < limit:
        position += tf.random.normal([2])
        path.append(position)
    return tf.stack(path)


print(walk(tf.constant(3.0)).shape[1])
