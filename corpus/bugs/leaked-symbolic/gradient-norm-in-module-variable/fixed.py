import tensorflow as tf

theta = tf.Variable([1.0, -2.0, 0.5])
last_norm = tf.Variable(0.0)


@tf.function
def descend(rate):
    with tf.GradientTape() as tape:
        value = tf.reduce_sum(theta**4)
    gradient = tape.gradient(value, theta)
    last_norm.assign(tf.norm(gradient))
    theta.assign_sub(rate * gradient)


for _ in range(3):
    descend(tf.constant(0.01))
print("gradient norm", last_norm.numpy())
