import numpy as np
import tensorflow as tf
from tensorflow import keras


class Agent(tf.Module):
    def __init__(self, n_actions):
        super().__init__()
        self.n_actions = n_actions
        self.network = keras.Sequential(
            [keras.Input((4,)), keras.layers.Dense(24, activation="tanh"), keras.layers.Dense(n_actions)]
        )

    @tf.function
    def act(self, observation, epsilon):
        greedy = tf.argmax(self.network(observation[tf.newaxis]), axis=1, output_type=tf.int32)[0]
        explore = tf.random.uniform([]) < epsilon
        return tf.where(explore, tf.random.uniform([], maxval=self.n_actions, dtype=tf.int32), greedy)


def walk(state, action, rng):
    return np.clip(state + (action - 1) * 0.1 + rng.normal(0, 0.05, 4), -2, 2).astype("float32")


rng = np.random.default_rng(0)
agent = Agent(3)
epsilon, epsilon_min = 1.0, 0.05
for episode in range(10):
    state = rng.normal(size=4).astype("float32")
    for _ in range(5):
        action = agent.act(state, np.float32(epsilon))
        state = walk(state, int(action), rng)
    epsilon = max(epsilon_min, epsilon * 0.85)
print("final exploration", round(epsilon, 3))
