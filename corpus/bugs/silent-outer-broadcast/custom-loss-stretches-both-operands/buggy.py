import tensorflow as tf

tf.keras.utils.set_random_seed(3)

SAMPLES, FEATURES = 96, 6
x = tf.random.normal([SAMPLES, FEATURES])
y = tf.reduce_sum(x, axis=1)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(0.01)


def mse(target, output):
    return tf.reduce_mean(tf.square(target - output))


for epoch in range(4):
    with tf.GradientTape() as tape:
        loss = mse(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(f"epoch {epoch}: {loss:.4f}")
