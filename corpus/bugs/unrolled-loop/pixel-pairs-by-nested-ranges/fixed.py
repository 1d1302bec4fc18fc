import tensorflow as tf

SIDE = 18


@tf.function
def smoothness(image):
    energy = 0.0
    energy += tf.reduce_sum(tf.abs(image[:-1, :-1] - image[1:, :-1]))
    energy += tf.reduce_sum(tf.abs(image[:-1, :-1] - image[:-1, 1:]))
    return energy


print(float(smoothness(tf.random.uniform([SIDE, SIDE], seed=5))))
