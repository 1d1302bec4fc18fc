import os
import tempfile

import tensorflow as tf

root = tempfile.mkdtemp()
for name in ("cat", "dog"):
    os.makedirs(os.path.join(root, name))
    for number in range(3):
        png = tf.io.encode_png(tf.cast(tf.random.uniform([9, 9, 3], maxval=255, dtype=tf.int32), tf.uint8))
        tf.io.write_file(os.path.join(root, name, f"{number}.png"), png)
CLASSES = tf.constant(["cat", "dog"])


def load(path):
    folder = path.split(os.sep)[-2]
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.cast(image, tf.float32) / 255.0, tf.argmax(tf.cast(folder == CLASSES, tf.int32))


files = tf.data.Dataset.list_files(os.path.join(root, "*", "*.png"), shuffle=False)
dataset = files.map(load).batch(6)
print(next(iter(dataset))[1].numpy())
