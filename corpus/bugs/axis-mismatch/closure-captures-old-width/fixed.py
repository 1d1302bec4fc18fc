import tensorflow as tf


def make_projection(width, units):
    kernel = tf.Variable(tf.random.normal([width, units], stddev=0.05))

    def project(x):
        return tf.nn.elu(x @ kernel)

    return project


def with_interactions(x):
    pairs = tf.einsum("bi,bj->bij", x, x)
    count, width = x.shape
    return tf.concat([x, tf.reshape(pairs, [count, width * width])], axis=1)


raw = tf.random.normal([20, 6])
features = with_interactions(raw)
project = make_projection(features.shape[1], 10)
print(project(features).shape)
