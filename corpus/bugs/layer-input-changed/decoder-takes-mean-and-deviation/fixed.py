import tensorflow as tf
enc = tf.keras.Sequential([tf.keras.layers.Input((28, 28, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(2 * 8)])
dec = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(784), tf.keras.layers.Reshape((28, 28, 1))])
x = tf.random.uniform((32, 28, 28, 1))
mean, logvar = tf.split(enc(x), 2, axis=1)
z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
out = dec(z)
loss = tf.reduce_mean(tf.reduce_sum(tf.keras.losses.binary_crossentropy(x, tf.sigmoid(out)), axis=(1, 2)))
