import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((7,)), keras.layers.Dense(9, activation="tanh"), keras.layers.Dense(3)])
sample = tf.random.normal([1, 7])

with tf.GradientTape() as tape:
    tape.watch(sample)
    logits = tf.unstack(model(sample)[0])

sensitivities = []
for logit in logits:
    sensitivities.append(tape.gradient(logit, sample))
print(tf.concat(sensitivities, axis=0).shape)
