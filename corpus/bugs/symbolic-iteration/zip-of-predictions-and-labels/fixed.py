import tensorflow as tf

confusion = tf.Variable(tf.zeros([3, 3], tf.int32))


@tf.function
def count(predicted, actual):
    for i in tf.range(tf.shape(predicted)[0]):
        confusion.scatter_nd_add([[actual[i], predicted[i]]], [1])


labels = tf.random.uniform([50], maxval=3, dtype=tf.int32, seed=8)
guesses = tf.random.uniform([50], maxval=3, dtype=tf.int32, seed=9)
count(guesses, labels)
print(confusion.numpy())
