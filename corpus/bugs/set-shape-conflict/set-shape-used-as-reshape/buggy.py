import numpy as np
import tensorflow as tf

HEIGHT, WIDTH = 45, 60
COUNT = HEIGHT * WIDTH * 3

raw = tf.placeholder(tf.float32, [None], name="raw_bytes")
raw.set_shape([COUNT])

picture = tf.identity(raw, name="picture")
picture.set_shape([HEIGHT, WIDTH, 3])
grey = tf.reduce_mean(picture, axis=-1)

pixels = np.random.uniform(0, 255, COUNT)

sess = tf.Session()
print(sess.run(grey, feed_dict={raw: pixels}).shape)
sess.close()
