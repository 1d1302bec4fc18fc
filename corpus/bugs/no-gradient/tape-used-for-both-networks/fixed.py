import tensorflow as tf

generator = tf.Variable(tf.random.normal([4, 2]))
critic = tf.Variable(tf.random.normal([2, 1]))
noise = tf.random.normal([16, 4])
real = tf.random.normal([16, 2])
with tf.GradientTape(persistent=True) as tape:
    fake = noise @ generator
    critic_loss = tf.reduce_mean(fake @ critic) - tf.reduce_mean(real @ critic)
    generator_loss = -tf.reduce_mean(fake @ critic)
critic.assign_sub(0.01 * tape.gradient(critic_loss, critic))
generator.assign_sub(0.01 * tape.gradient(generator_loss, generator))
