import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)

# mixing weights: 6 recordings x 4 sources; dictionary: 4 sources x 5 bins x 9 frames
RECORDINGS = 6
SOURCES = 4
BINS = 5
FRAMES = 9

mixing_np = rng.randn(RECORDINGS, SOURCES)
dictionary_np = rng.randn(SOURCES, BINS, FRAMES)

mixing = tf.Variable(mixing_np)
dictionary = tf.Variable(dictionary_np)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    mixture = tf.matmul(mixing, dictionary)
    value = sess.run(mixture)
    print(value.shape)
