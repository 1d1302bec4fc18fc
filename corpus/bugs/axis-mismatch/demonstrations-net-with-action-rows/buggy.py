import random
from collections import deque

import numpy as np
import tensorflow as tf


class Config:
    LEARNING_RATE = 0.001
    GAMMA = 0.99
    BATCH_SIZE = 16
    UNITS = (24, 24)


class CartPole:
    """A stand-in for the environment: four numbers in, two actions."""

    state_dim, action_dim = 4, 2

    def __init__(self):
        self.rng = np.random.RandomState(0)

    def reset(self):
        return self.rng.uniform(-0.05, 0.05, size=self.state_dim)

    def step(self, action):
        return self.rng.normal(size=self.state_dim), 1.0, self.rng.rand() < 0.1


class Agent(object):
    def __init__(self, env, config):
        self.config = config
        self.state_dim, self.action_dim = env.state_dim, env.action_dim
        self.memory = deque(maxlen=500)
        self.eval_input = tf.placeholder(tf.float32, [None, self.state_dim], name="state")
        self.y_input = tf.placeholder(tf.float32, [None, self.action_dim], name="target")
        self.Q = self.build(self.eval_input, "eval_net")
        self.loss = tf.reduce_mean(tf.squared_difference(self.Q, self.y_input))
        self.train_op = tf.train.AdamOptimizer(config.LEARNING_RATE).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def build(self, state, scope):
        u1, u2 = self.config.UNITS
        a_d = self.action_dim
        init = tf.random_normal_initializer(0.0, 0.3)
        with tf.variable_scope(scope):
            w1 = tf.get_variable("w1", [a_d, u1], initializer=init)
            b1 = tf.get_variable("b1", [1, u1], initializer=tf.zeros_initializer())
            dense1 = tf.nn.relu(tf.matmul(state, w1) + b1)
            w2 = tf.get_variable("w2", [u1, u2], initializer=init)
            b2 = tf.get_variable("b2", [1, u2], initializer=tf.zeros_initializer())
            dense2 = tf.nn.relu(tf.matmul(dense1, w2) + b2)
            w3 = tf.get_variable("w3", [u2, a_d], initializer=init)
            return tf.matmul(dense2, w3)

    def act(self, state, epsilon=0.1):
        if random.random() < epsilon:
            return random.randrange(self.action_dim)
        return int(np.argmax(self.sess.run(self.Q, {self.eval_input: state[None]})[0]))

    def learn(self):
        batch = random.sample(self.memory, self.config.BATCH_SIZE)
        states = np.array([b[0] for b in batch])
        following = np.array([b[3] for b in batch])
        y = self.sess.run(self.Q, {self.eval_input: states})
        best = self.sess.run(self.Q, {self.eval_input: following}).max(axis=1)
        for row, (_, action, reward, _, done) in enumerate(batch):
            y[row, action] = reward if done else reward + self.config.GAMMA * best[row]
        return self.sess.run([self.train_op, self.loss], {self.eval_input: states, self.y_input: y})[1]


env = CartPole()
agent = Agent(env, Config())
state = env.reset()
for step in range(40):
    action = agent.act(state)
    following, reward, done = env.step(action)
    agent.memory.append((state, action, reward, following, done))
    state = env.reset() if done else following
print("loss", agent.learn())
