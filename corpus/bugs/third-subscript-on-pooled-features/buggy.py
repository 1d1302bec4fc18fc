import tensorflow as tf

extractor = tf.keras.Sequential([
    tf.keras.layers.Conv2D(12, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(2),
])

frames = tf.random.uniform([5, 64, 64, 3])
features = extractor(frames)
first_half = features[:, :, :6]
second_half = features[:, 6:]
print(float(tf.reduce_mean(first_half) - tf.reduce_mean(second_half)))
