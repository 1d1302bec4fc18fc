import tensorflow as tf

head = tf.keras.layers.Dense(1, activation="sigmoid")
criterion = tf.keras.losses.CategoricalCrossentropy()
x, y = tf.random.normal([12, 5]), tf.ones([12, 1])
with tf.GradientTape() as tape:
    loss = criterion(y, head(x))
print(loss.numpy(), [g.numpy().max() for g in tape.gradient(loss, head.trainable_variables)])
