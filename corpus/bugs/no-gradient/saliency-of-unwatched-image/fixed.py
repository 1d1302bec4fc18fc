import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.Flatten(), keras.layers.Dense(3)])
image = tf.random.uniform([1, 8, 8, 1])
with tf.GradientTape() as tape:
    tape.watch(image)
    score = model(image)[:, 1]
gradient = tape.gradient(score, image)
saliency = tf.reduce_max(tf.abs(gradient), axis=-1)
print(saliency.shape)
