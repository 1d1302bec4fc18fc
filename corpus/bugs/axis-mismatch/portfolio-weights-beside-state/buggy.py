import numpy as np


class Market:
    """Prices of some assets; the last weight is the share kept as money."""

    def __init__(self, assets=5, days=80, window=10, seed=3):
        rng = np.random.RandomState(seed)
        self.assets = assets
        self.window = window
        self.prices = 100 * np.exp(np.cumsum(rng.normal(0, 0.01, size=(assets, days)), axis=1))
        self.reset()

    def reset(self):
        self.day = self.window
        self.current_weight = np.zeros(self.assets)
        self.current_weight[-1] = 1.0
        return self.normalized_state()

    def normalized_state(self):
        recent = self.prices[:, self.day - self.window:self.day]
        state = np.log(recent[:, 1:] / recent[:, :-1])
        state = (state - state.mean()) / (state.std() + 1e-8)
        return np.concatenate((state, self.current_weight[:-1][:, None]), axis=1)

    def step(self, weights):
        change = self.prices[:, self.day] / self.prices[:, self.day - 1] - 1
        reward = float(np.dot(weights[:-1], change))
        self.current_weight = weights
        self.day += 1
        return self.normalized_state(), reward, self.day == self.prices.shape[1]


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


market = Market()
state, total, done = market.reset(), 0.0, False
rng = np.random.RandomState(0)
while not done:
    weights = softmax(np.append(state.mean(axis=1), 0.0) + rng.normal(size=market.assets + 1))
    state, reward, done = market.step(weights)
    total += reward
print("total", total)
