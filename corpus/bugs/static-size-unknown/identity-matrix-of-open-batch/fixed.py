import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 16]), tf.TensorSpec([None, 16])])
def nt_xent(left, right):
    left, right = tf.math.l2_normalize(left, 1), tf.math.l2_normalize(right, 1)
    similarity = tf.matmul(left, right, transpose_b=True) / 0.5
    positives = tf.eye(tf.shape(left)[0])
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=positives, logits=similarity))


print(float(nt_xent(tf.random.normal([6, 16]), tf.random.normal([6, 16]))))
