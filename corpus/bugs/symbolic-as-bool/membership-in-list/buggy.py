import tensorflow as tf

WEEKEND = [5, 6]


@tf.function
def surcharge(day, fare):
    if day in WEEKEND:
        fare = fare * 1.2
    return fare


print(float(surcharge(tf.constant(6), tf.constant(10.0))))
