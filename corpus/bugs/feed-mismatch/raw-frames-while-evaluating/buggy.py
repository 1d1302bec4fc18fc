import numpy as np
import tensorflow as tf


class PongEnv(object):
    def __init__(self):
        self.shape = (210, 160, 3)
        self.n_actions = 4
        self.steps = 0

    def reset(self):
        self.steps = 0
        return np.random.randint(0, 255, self.shape).astype(np.uint8)

    def step(self, action):
        self.steps += 1
        obs = np.random.randint(0, 255, self.shape).astype(np.uint8)
        return obs, float(np.random.rand() > 0.5), self.steps >= 6, {}


class MaxAndGrey(object):
    """Grey pictures of 80 rows and columns."""

    def __init__(self, env):
        self.env = env
        self.shape = (80, 80, 1)
        self.n_actions = env.n_actions

    def _prepare(self, obs):
        grey = obs[35:195].mean(axis=2)
        grey = grey[::2, ::2]
        return grey[:, :, np.newaxis].astype(np.uint8)

    def reset(self):
        return self._prepare(self.env.reset())

    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return self._prepare(obs), reward, done, info


class FrameHistory(object):
    def __init__(self, history):
        self.history = history
        self.frames = []

    def reset(self, frame):
        self.frames = [frame] * self.history

    def push(self, frame):
        self.frames = self.frames[1:] + [frame]

    def state(self):
        return np.concatenate(self.frames, axis=2)


HISTORY = 4


class NatureQN(object):
    def __init__(self, env, test_env):
        self.env = env
        self.test_env = test_env
        self.add_placeholders_op()
        self.q = self.get_q_values_op(self.s, scope="q")
        self.target_q = self.get_q_values_op(self.sp, scope="target_q")
        self.add_loss_op()
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def add_placeholders_op(self):
        h, w, c = self.env.shape
        self.s = tf.placeholder(tf.uint8, [None, h, w, c * HISTORY])
        self.sp = tf.placeholder(tf.uint8, [None, h, w, c * HISTORY])
        self.a = tf.placeholder(tf.int32, [None])
        self.r = tf.placeholder(tf.float32, [None])
        self.done = tf.placeholder(tf.bool, [None])

    def get_q_values_op(self, state, scope):
        with tf.variable_scope(scope):
            out = tf.cast(state, tf.float32) / 255.0
            out = tf.layers.conv2d(out, 8, 8, 4, activation=tf.nn.relu)
            out = tf.layers.conv2d(out, 8, 4, 2, activation=tf.nn.relu)
            out = tf.layers.dense(tf.layers.flatten(out), 32, activation=tf.nn.relu)
            return tf.layers.dense(out, self.env.n_actions)

    def add_loss_op(self):
        best = self.r + 0.99 * tf.reduce_max(self.target_q, axis=1) * (1 - tf.cast(self.done, tf.float32))
        chosen = tf.reduce_sum(self.q * tf.one_hot(self.a, self.env.n_actions), axis=1)
        self.loss = tf.reduce_mean(tf.square(best - chosen))
        self.train_op = tf.train.AdamOptimizer(1e-3).minimize(self.loss)

    def get_best_action(self, state):
        action_values = self.sess.run(self.q, feed_dict={self.s: [state]})[0]
        return np.argmax(action_values)

    def run_episode(self, env):
        history = FrameHistory(HISTORY)
        history.reset(env.reset())
        total, done = 0.0, False
        while not done:
            action = self.get_best_action(history.state())
            frame, reward, done, _ = env.step(action)
            history.push(frame)
            total += reward
        return total

    def train(self, episodes):
        for _ in range(episodes):
            print("reward", self.run_episode(self.env))
        return self.evaluate()

    def evaluate(self):
        return np.mean([self.run_episode(self.test_env) for _ in range(2)])


if __name__ == "__main__":
    env = MaxAndGrey(PongEnv())
    test_env = PongEnv()
    model = NatureQN(env, test_env)
    print(model.train(2))
