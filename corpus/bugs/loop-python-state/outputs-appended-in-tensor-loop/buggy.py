import tensorflow as tf


@tf.function
def cumulative(deposits):
    balances = []
    balance = tf.constant(0.0)
    for i in tf.range(tf.size(deposits)):
        balance += deposits[i]
        balances.append(balance)
    return tf.stack(balances)


print(cumulative(tf.constant([5.0, -2.0, 3.0])))
