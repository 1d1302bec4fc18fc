import tensorflow as tf


@tf.function
def cumulative(deposits):
    balances = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    balance = tf.constant(0.0)
    for i in tf.range(tf.size(deposits)):
        balance += deposits[i]
        balances = balances.write(i, balance)
    return balances.stack()


print(cumulative(tf.constant([5.0, -2.0, 3.0])))
