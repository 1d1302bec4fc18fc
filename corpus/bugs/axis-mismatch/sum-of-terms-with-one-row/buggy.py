import tensorflow as tf

STATES = 9
ACTIONS = 10


class FactoredQ(tf.Module):
    """Q(s, a) as a sum of a table of pairs, a term of states and a term of actions."""

    def __init__(self, states, actions, rank=3, name=None):
        super().__init__(name=name)
        init = tf.random.stateless_normal
        self.left = tf.Variable(init([states, rank], seed=[1, 2]), name="left")
        self.right = tf.Variable(init([rank, actions], seed=[3, 4]), name="right")
        self.state_bias = tf.Variable(tf.zeros([states, 1]), name="state_bias")
        self.action_bias = tf.Variable(tf.zeros([1, actions]), name="action_bias")

    def pairs(self):
        return tf.matmul(self.left, self.right)

    def __call__(self):
        return tf.add_n([self.pairs(), self.action_bias])


def td_update(q, rewards, gamma=0.9):
    best = tf.reduce_max(q(), axis=1, keepdims=True)
    return rewards + gamma * best


q = FactoredQ(STATES, ACTIONS)
optimizer = tf.keras.optimizers.SGD(0.1)
rewards = tf.random.stateless_uniform([STATES, ACTIONS], seed=[5, 6])

for sweep in range(3):
    goal = tf.stop_gradient(td_update(q, rewards))
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(goal - q()))
    variables = q.trainable_variables
    gradients = tape.gradient(error, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print(sweep, float(error))

policy = tf.argmax(q(), axis=1)
print(policy.numpy())
