import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(3)])
opt = tf.keras.optimizers.SGD(0.1)
ds = tf.data.Dataset.from_tensor_slices((tf.random.normal((64, 8)), tf.one_hot(tf.random.uniform((64,), maxval=3, dtype=tf.int32), 3))).batch(16)
loss_fn = tf.keras.losses.CategoricalCrossentropy(from_logits=True)
for xb, yb in ds:
    with tf.GradientTape() as tape:
        loss = loss_fn(yb, model(xb, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
