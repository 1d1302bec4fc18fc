import tensorflow as tf

weights = tf.Variable(tf.random.normal([5, 3], seed=1))


@tf.function(input_signature=(tf.TensorSpec(shape=[None, 5], dtype=tf.float32), tf.TensorSpec(shape=[None], dtype=tf.int64)))
def train_step(x, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x @ weights))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


features = tf.random.normal([9, 5])
labels = tf.random.uniform([9], maxval=3, dtype=tf.int32)
for _ in range(3):
    loss = train_step(features, labels)
print(float(loss))
