import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

LATENT = 12
PIXELS = 20 * 20


def dense(x, units, name, act=None):
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [x.shape.as_list()[1], units])
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    y = tf.matmul(x, w) + b
    return act(y) if act else y


x = tf.placeholder(tf.float32, [None, PIXELS])
code = dense(dense(x, 100, "enc1", tf.nn.relu), LATENT, "enc2")
rebuilt = dense(dense(code, 100, "dec1", tf.nn.relu), PIXELS, "dec2")

errors = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=rebuilt)
loss = tf.reduce_mean(tf.reduce_sum(errors, axis=[1, 2, 3]))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
print(train.name)
