import numpy as np, tensorflow as tf
q = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(24, activation="relu"), tf.keras.layers.Dense(2)])
def train(states, actions, rewards, next_states, dones, gamma=0.99):
    target = rewards + gamma * np.amax(q.predict(next_states, verbose=0), axis=1) * (1 - dones)
    qs = q.predict(states, verbose=0)
    qs[np.arange(len(states)), actions] = target[:-1]
    return qs
n = 16
train(np.random.rand(n, 4), np.random.randint(0, 2, n), np.random.rand(n), np.random.rand(n, 4), np.zeros(n))
