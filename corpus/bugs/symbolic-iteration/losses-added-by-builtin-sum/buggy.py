import tensorflow as tf

TASK_WEIGHTS = tf.constant([1.0, 0.5, 0.1])


@tf.function
def total_loss(predictions, targets):
    per_task = tf.reduce_mean(tf.square(predictions - targets), axis=0)
    return sum(TASK_WEIGHTS * per_task)


value = total_loss(tf.random.normal([8, 3], seed=1), tf.zeros([8, 3]))
print(float(value))
