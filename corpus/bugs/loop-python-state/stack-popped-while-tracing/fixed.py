import tensorflow as tf


@tf.function
def consume(tasks, rounds):
    pending = tf.stack(tasks)
    done = tf.constant(0.0)
    for i in tf.range(rounds):
        done += pending[-1 - i]
    return done


answer = consume([tf.constant(1.0), tf.constant(2.0), tf.constant(3.0), tf.constant(4.0)], tf.constant(3))
print(float(answer))
