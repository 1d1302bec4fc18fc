import tensorflow as tf

project = tf.keras.layers.Dense(3)


def select(features, keep):
    chosen = features * tf.cast(keep, tf.float32)
    return project(chosen)


table = tf.data.Dataset.from_tensor_slices(tf.random.normal([9, 6])).batch(3)
keep = tf.Variable([True, False, True, True, False, True])
for out in table.map(lambda rows: select(rows, keep)):
    print(out.shape)
