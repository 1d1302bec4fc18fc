import tensorflow as tf

body = tf.keras.layers.Dense(16, activation="relu")
head = tf.keras.layers.Dense(4)
optimizer = tf.keras.optimizers.SGD(0.05)
x = tf.random.normal([10, 7])
y = tf.one_hot(tf.random.uniform([10], maxval=4, dtype=tf.int32), 4)

for _ in range(2):
    with tf.GradientTape() as tape:
        scores = head(body(x))
        loss = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(y, scores, from_logits=True))
    weights = body.trainable_variables + head.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
print(loss.numpy())
