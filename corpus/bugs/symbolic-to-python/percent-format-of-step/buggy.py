import tensorflow as tf

checkpoint_step = tf.Variable(0, dtype=tf.int64)
state = tf.Variable(tf.zeros([3]))


@tf.function
def advance(delta):
    state.assign_add(delta)
    step = checkpoint_step.assign_add(1)
    tf.print("finished step %d of training" % step)
    return tf.norm(state)


for _ in range(3):
    norm = advance(tf.constant([1.0, 0.5, -0.5]))
print(float(norm))
