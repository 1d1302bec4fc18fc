import tensorflow as tf

kernel = tf.Variable(tf.random.normal([3, 3, 1, 1], seed=1))
target = tf.random.normal([1, 8, 8, 1], seed=2)
image = tf.random.normal([1, 8, 8, 1], seed=3)
history = []

for _ in range(3):
    with tf.GradientTape() as tape:
        blurred = tf.nn.conv2d(image, kernel, 1, "SAME")
        loss = tf.reduce_mean((blurred - target) ** 2)
        history.append(float(loss))
    gradient = tape.gradient(loss, kernel)
    kernel.assign_sub(0.05 * gradient)
print(history)
