import numpy as np
import tensorflow as tf

EPISODES, STEPS, ACTIONS = 6, 25, 2


class Policy(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal([width, ACTIONS]))
        self.spread = tf.Variable(tf.zeros([ACTIONS]))

    def mean(self, seen):
        return tf.tensordot(seen, self.kernel, 1)

    def log_probability(self, mean, action):
        far = (action - mean) ** 2 / tf.exp(2 * self.spread)
        return -0.5 * tf.reduce_sum(far + 2 * self.spread + np.log(2 * np.pi), axis=-1)

    def entropy(self, mean):
        of_one = tf.reduce_sum(self.spread + 0.5 * np.log(2 * np.pi * np.e))
        return of_one * tf.ones(mean.shape[:-1])


policy = Policy(8)
seen = tf.random.normal([EPISODES, STEPS, 8])
action = tf.random.normal([EPISODES, STEPS, ACTIONS])
advantage = tf.random.normal([EPISODES, STEPS])
before = tf.random.normal([EPISODES, STEPS])
with tf.GradientTape() as tape:
    mean = policy.mean(seen)
    ratio = tf.exp(policy.log_probability(mean, action) - before)
    loss = -tf.reduce_mean(ratio * advantage, axis=1)
    loss -= 0.01 * tf.reduce_mean(policy.entropy(mean), axis=1)
    loss = tf.reduce_mean(loss)
print(len(tape.gradient(loss, policy.trainable_variables)))
