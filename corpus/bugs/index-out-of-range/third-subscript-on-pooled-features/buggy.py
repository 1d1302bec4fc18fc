import tensorflow as tf

extractor = tf.keras.Sequential([
    tf.keras.layers.Conv2D(12, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
])

frames = tf.random.uniform([5, 64, 64, 3])
features = extractor(frames)
first_half = features[:, :, :6]
second_half = features[:, 6:]
gap = tf.abs(tf.reduce_mean(first_half, axis=0) - tf.reduce_mean(second_half, axis=0))
for number, value in enumerate(gap.numpy()):
    print(number, round(float(value), 4))
print(float(tf.reduce_mean(first_half) - tf.reduce_mean(second_half)))
