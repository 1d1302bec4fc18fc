import tensorflow as tf
def gram(x):
    x = tf.transpose(x, (2, 0, 1))
    f = tf.reshape(x, (tf.shape(x)[0], -1))
    return tf.matmul(f, tf.transpose(f))
feats = tf.random.normal((1, 14, 14, 64))
g = gram(feats[0])
