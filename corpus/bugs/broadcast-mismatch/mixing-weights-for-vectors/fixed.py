import tensorflow as tf
critic = tf.keras.Sequential([tf.keras.layers.Input((28, 28, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
real, fake = tf.random.normal((8, 28, 28, 1)), tf.random.normal((8, 28, 28, 1))
alpha = tf.random.uniform((8, 1, 1, 1))
mixed = alpha * real + (1 - alpha) * fake
with tf.GradientTape() as tape:
    tape.watch(mixed)
    pred = critic(mixed)
g = tape.gradient(pred, mixed)
