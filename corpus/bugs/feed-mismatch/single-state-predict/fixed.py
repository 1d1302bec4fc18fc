import random
from collections import deque

import numpy as np
from keras import Input
from keras.layers import Dense
from keras.models import Sequential


class CartEnv:
    def reset(self):
        self.steps = 0
        return np.zeros(4)

    def step(self, action):
        self.steps += 1
        return np.random.randn(4), 1.0, self.steps > 5, {}


class DQNAgent:
    def __init__(self, state_size, action_size):
        self.state_size, self.action_size = state_size, action_size
        self.memory = deque(maxlen=100)
        self.epsilon = 0.0
        self.model = Sequential([Input((state_size,)), Dense(24, activation="relu"), Dense(action_size)])
        self.model.compile(loss="mse", optimizer="adam")

    def act(self, state):
        if np.random.rand() < self.epsilon:
            return random.randrange(self.action_size)
        act_values = self.model.predict(state.reshape(1, -1), verbose=0)
        return int(np.argmax(act_values[0]))

    def remember(self, *transition):
        self.memory.append(transition)


env = CartEnv()
agent = DQNAgent(4, 2)
for episode in range(2):
    state = env.reset()
    done = False
    while not done:
        action = agent.act(state)
        next_state, reward, done, _ = env.step(action)
        agent.remember(state, action, reward, next_state, done)
        state = next_state
print(len(agent.memory))
