import tensorflow as tf


def number(example):
    seen = tf.Variable(0, dtype=tf.int64)
    return seen.assign_add(1), example


words = tf.data.Dataset.from_tensor_slices(["a", "b", "c"]).map(number)
print([(int(i), w.numpy()) for i, w in words])
