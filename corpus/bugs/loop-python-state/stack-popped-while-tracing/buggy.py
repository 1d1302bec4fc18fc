import tensorflow as tf


@tf.function
def consume(tasks, rounds):
    pending = list(tasks)
    done = tf.constant(0.0)
    for _ in tf.range(rounds):
        done += pending.pop()
    return done


answer = consume([tf.constant(1.0), tf.constant(2.0), tf.constant(3.0), tf.constant(4.0)], tf.constant(3))
print(float(answer))
