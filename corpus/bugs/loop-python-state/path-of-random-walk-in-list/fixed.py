import tensorflow as tf


@tf.function
def walk(limit):
    position = tf.zeros([2])
    path = tf.TensorArray(tf.float32, 1, dynamic_size=True).write(0, position)
    while tf.norm(position) < limit:
        position += tf.random.normal([2])
        path = path.write(path.size(), position)
    return path.stack()


print(walk(tf.constant(3.0)).shape[1])
