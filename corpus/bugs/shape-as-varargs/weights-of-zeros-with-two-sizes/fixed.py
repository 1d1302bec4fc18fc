import tensorflow as tf

N_IN, N_OUT = 4, 1
weights = tf.Variable(tf.zeros([N_OUT, N_IN]))
inputs = tf.random.normal([6, N_IN])
outputs = tf.reduce_sum(inputs * weights, axis=-1)
print(outputs.shape)
