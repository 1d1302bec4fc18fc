import tensorflow as tf

labels = tf.data.Dataset.from_tensor_slices([0, 1, 2, 1, 0, 2])


def wanted(label):
    return tf.math.mod(label, 2)


odd = labels.filter(wanted)
print([int(x) for x in odd])
