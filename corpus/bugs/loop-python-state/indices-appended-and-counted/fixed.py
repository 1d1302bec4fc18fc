import tensorflow as tf


@tf.function
def every_other(series):
    chosen = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    for i in tf.range(0, tf.size(series), 2):
        chosen = chosen.write(chosen.size(), series[i])
    return chosen.stack()


kept = every_other(tf.linspace(0.0, 1.0, 10))
print(len(kept))
