import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
num_states, num_actions = 3, 1
def get_actor():
    inp = layers.Input((num_states,))
    out = layers.Dense(64, activation="relu")(inp)
    return tf.keras.Model(inp, layers.Dense(num_actions, activation="tanh")(out))
def get_critic():
    s = layers.Input((num_states,))
    a = layers.Input((num_actions,))
    h = layers.Concatenate()([layers.Dense(16)(s), layers.Dense(16)(a)])
    return tf.keras.Model([s, a], layers.Dense(1)(h))
class Buffer:
    def __init__(self, capacity=1000, batch=32):
        self.n, self.batch = capacity, batch
        self.s = np.zeros((capacity, num_states))
        self.a = np.zeros((capacity, num_actions))
        self.r = np.zeros((capacity, 1))
        self.s2 = np.zeros((capacity, num_states))
    def sample(self):
        i = np.random.choice(self.n, self.batch)
        return [tf.convert_to_tensor(t[i], tf.float32) for t in (self.s, self.a, self.s2, self.r)]
actor, critic, buffer = get_actor(), get_critic(), Buffer()
s, a, r, s2 = buffer.sample()
with tf.GradientTape() as tape:
    y = r + 0.99 * critic([s2, actor(s2)])
    loss = tf.reduce_mean(tf.square(y - critic([s, a])))
