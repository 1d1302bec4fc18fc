import keras
import numpy as np


class Policy:
    def __init__(self, states, actions):
        self.actions = actions
        self.model = keras.Sequential([
            keras.Input((states,)),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.Dense(actions, activation="softmax"),
        ])
        self.model.compile(loss="categorical_crossentropy", optimizer="adam")
        self.history = []

    def act(self, state):
        probabilities = self.model.predict(state[np.newaxis, :], verbose=0)[0]
        return int(np.random.choice(self.actions, p=probabilities))

    def remember(self, state, action, reward):
        self.history.append((state, action, reward))

    def learn(self):
        states = np.vstack([state for state, _, _ in self.history])
        actions = np.array([action for _, action, _ in self.history])
        rewards = np.array([reward for _, _, reward in self.history])
        self.model.fit(states, keras.utils.to_categorical(actions, self.actions), sample_weight=rewards, epochs=1, verbose=0)
        self.history = []


policy = Policy(4, 3)
state = np.zeros(4)
for step in range(6):
    action = policy.act(state)
    policy.remember(state, action, 1.0)
    state = np.random.randn(4)
policy.learn()
