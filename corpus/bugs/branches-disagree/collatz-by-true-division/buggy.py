import tensorflow as tf


@tf.function
def flight_time(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n / 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


print([int(flight_time(tf.constant(n))) for n in (6, 7, 27)])
