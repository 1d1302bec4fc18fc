import random

import tensorflow as tf

tiles = list(range(9))


@tf.function
def jigsaw(image):
    parts = [image[r * 8 : r * 8 + 8, c * 8 : c * 8 + 8] for r in range(3) for c in range(3)]
    random.shuffle(tiles)
    return tf.stack([parts[i] for i in tiles])


for _ in range(6):
    print(jigsaw(tf.random.uniform([24, 24])).shape)
