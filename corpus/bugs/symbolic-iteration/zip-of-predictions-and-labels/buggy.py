import tensorflow as tf

confusion = tf.Variable(tf.zeros([3, 3], tf.int32))


@tf.function
def count(predicted, actual):
    for p, a in zip(predicted, actual):
        confusion.scatter_nd_add([[a, p]], [1])


labels = tf.random.uniform([50], maxval=3, dtype=tf.int32, seed=8)
guesses = tf.random.uniform([50], maxval=3, dtype=tf.int32, seed=9)
count(guesses, labels)
print(confusion.numpy())
