import tensorflow as tf

tf.random.set_seed(4)
table = tf.random.uniform([60, 5])
measured, species = table[:, :4], tf.cast(table[:, 4] * 3.0, tf.int32)

kernel = tf.Variable(tf.random.normal([4, 3], stddev=0.1))


def loss():
    logits = tf.matmul(measured, kernel)
    targets = tf.one_hot(species, 3)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=targets, logits=logits))


for _ in range(20):
    with tf.GradientTape() as tape:
        now = loss()
    kernel.assign_sub(0.5 * tape.gradient(now, kernel))
print("loss", float(now))
