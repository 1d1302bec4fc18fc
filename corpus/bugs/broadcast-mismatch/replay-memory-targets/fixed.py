import random
from collections import deque

import keras
import numpy as np

STATE, ACTIONS, BATCH = 4, 2, 16
memory = deque(maxlen=500)
model = keras.Sequential([keras.Input((STATE,)), keras.layers.Dense(24, activation="relu"), keras.layers.Dense(ACTIONS)])
model.compile(loss="mse", optimizer="adam")
for _ in range(40):
    memory.append((np.random.rand(STATE), random.randrange(ACTIONS), 1.0, np.random.rand(STATE), False))

minibatch = random.sample(memory, BATCH)
states = np.array([item[0] for item in minibatch])
actions = np.array([item[1] for item in minibatch])
rewards = np.array([item[2] for item in minibatch])
next_states = np.array([item[3] for item in minibatch])
targets = model.predict(states, verbose=0)
future = model.predict(next_states, verbose=0)
targets[np.arange(BATCH), actions] = rewards + 0.95 * future.max(axis=1)
model.fit(states, targets, epochs=1, verbose=0)
