import tensorflow as tf

step = tf.Variable(0)
average = tf.Variable(tf.zeros([3]))


@tf.function
def track(weights):
    step.assign_add(1)
    if step > 2:
        average.assign(0.9 * average + 0.1 * weights)
    else:
        average.assign(weights)
    return average.read_value()


for _ in range(4):
    smoothed = track(tf.random.normal([3]))
print(smoothed)
