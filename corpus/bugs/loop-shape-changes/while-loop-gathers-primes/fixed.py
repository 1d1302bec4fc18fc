import tensorflow as tf


def is_prime(n):
    divisors = tf.range(2, n)
    return tf.reduce_all(tf.math.floormod(n, divisors) != 0)


@tf.function
def primes(count):
    def missing(n, found):
        return tf.size(found) < count

    def look(n, found):
        found = tf.cond(is_prime(n), lambda: tf.concat([found, [n]], 0), lambda: found)
        return n + 1, found

    start = [tf.constant(3), tf.constant([2])]
    return tf.while_loop(missing, look, start, [tf.TensorShape([]), tf.TensorShape([None])])[1]


print(primes(tf.constant(8)).numpy())
