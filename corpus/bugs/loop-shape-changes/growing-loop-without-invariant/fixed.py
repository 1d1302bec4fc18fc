import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
def body(i, acc):
    return i + 1, tf.concat([acc, tf.expand_dims(tf.cast(i, tf.float32), 0)], axis=0)
i = tf.constant(0)
acc = tf.zeros([0])
out = tf.while_loop(lambda i, acc: i < 5, body, [i, acc], shape_invariants=[i.get_shape(), tf.TensorShape([None])])
