import tensorflow as tf

slope = tf.Variable([[0.0], [0.0]])


@tf.function
def descend(temps, sales, rate):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(temps @ slope - sales))
    slope.assign_sub(rate * tape.gradient(error, slope))
    return error


temps = tf.random.normal([40, 2])
sales = tf.reduce_sum(temps, axis=1, keepdims=True)
rate = 0.5
for day in range(30):
    error = descend(temps, sales, rate)
    rate = rate * 0.95
print(float(error))
