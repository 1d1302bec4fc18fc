import keras
import numpy as np


class Agent:
    def __init__(self, state_size, action_size, hidden=24):
        self.state_size = state_size
        self.action_size = action_size
        self.model = self._build(hidden)
        self.target = self._build(hidden // 2)

    def _build(self, hidden):
        model = keras.Sequential()
        model.add(keras.layers.Input((self.state_size,)))
        model.add(keras.layers.Dense(hidden, activation="relu"))
        model.add(keras.layers.Dense(self.action_size, activation="linear"))
        model.compile(loss="mse", optimizer="adam")
        return model

    def update_target(self):
        self.target.set_weights(self.model.get_weights())

    def replay(self, states, targets):
        self.model.fit(states, targets, epochs=1, verbose=0)
        self.update_target()


agent = Agent(4, 2)
rng = np.random.default_rng(0)
for episode in range(2):
    agent.replay(rng.random((16, 4)), rng.random((16, 2)))
print(agent.target.predict(np.zeros((1, 4)), verbose=0))
