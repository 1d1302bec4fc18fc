import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def cantor(level, intervals):
    left = intervals / 3.0
    return level + 1, tf.concat([left, left + 2.0 / 3.0], axis=0)


start = [tf.constant(0), tf.constant([0.0])]
shapes = [tf.TensorShape([]), tf.TensorShape([None])]
_, points = tf.while_loop(lambda level, _: level < 4, cantor, start, shape_invariants=shapes)

with tf.Session() as sess:
    print(sess.run(points).shape)
