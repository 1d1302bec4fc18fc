import tensorflow as tf

x = tf.constant([[1.0], [2.0], [3.0], [4.0]])
y = 2.5 * x - 1.0
slope = tf.Variable([[0.0]])
offset = tf.Variable([0.0])
rate = 0.05

for epoch in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ slope + offset - y))
    d_slope, d_offset = tape.gradient(loss, [slope, offset])
    slope.assign_sub(rate * d_slope)
    offset.assign_sub(rate * d_offset)
print(slope.numpy(), offset.numpy())
