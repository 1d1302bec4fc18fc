import tensorflow as tf
from tensorflow import keras

classifier = keras.Sequential(
    [keras.Input((14, 14, 1)), keras.layers.Conv2D(4, 3, activation="relu"), keras.layers.Flatten(), keras.layers.Dense(10)]
)
cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def perturbation(image, label):
    with tf.GradientTape() as tape:
        tape.watch(image)
        loss = cross_entropy(label, classifier(image))
    gradient = tape.gradient(loss, image)
    return tf.sign(gradient)


image = tf.random.uniform([1, 14, 14, 1])
attacked = tf.clip_by_value(image + 0.03 * perturbation(image, tf.constant([3])), 0.0, 1.0)
print(float(tf.reduce_max(tf.abs(attacked - image))))
