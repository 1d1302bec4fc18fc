import tensorflow as tf

WEEKEND = [5, 6]


@tf.function
def surcharge(day, fare):
    if tf.reduce_any(day == WEEKEND):
        fare = fare * 1.2
    return fare


print(float(surcharge(tf.constant(6), tf.constant(10.0))))
