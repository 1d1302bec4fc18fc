"""Actor-critic on a toy line world: many (T,) and (T, 1) arrays that are aligned with care."""
import collections

import numpy as np
import tensorflow as tf
from tensorflow import keras

Transition = collections.namedtuple("Transition", "state action reward done")


class LineWorld:
    """Walk to the right end of a line; the state is a one-hot place plus the remaining time."""

    def __init__(self, length=7, limit=20, rng=None):
        self.length, self.limit = length, limit
        self.rng = rng or np.random.default_rng(0)

    @property
    def state_size(self):
        return self.length + 1

    def _observe(self):
        place = np.zeros(self.length, dtype=np.float32)
        place[self.place] = 1.0
        return np.append(place, np.float32(1 - self.time / self.limit)).astype(np.float32)

    def reset(self):
        self.place, self.time = int(self.rng.integers(self.length - 1)), 0
        return self._observe()

    def step(self, action):
        self.time += 1
        self.place = int(np.clip(self.place + (1 if action == 1 else -1), 0, self.length - 1))
        done = self.place == self.length - 1
        return self._observe(), (1.0 if done else -0.05), done or self.time >= self.limit


class Agent(keras.Model):
    def __init__(self, actions, units=24):
        super().__init__()
        self.trunk = keras.layers.Dense(units, activation="tanh")
        self.policy = keras.layers.Dense(actions)
        self.value = keras.layers.Dense(1)

    def call(self, states):
        x = self.trunk(states)
        return self.policy(x), tf.squeeze(self.value(x), axis=-1)

    def act(self, state, rng):
        logits, value = self(state[np.newaxis])
        p = tf.nn.softmax(logits[0]).numpy().astype("float64")
        return int(rng.choice(len(p), p=p / p.sum())), float(value[0])


def play(env, agent, rng):
    state, done, steps = env.reset(), False, []
    while not done:
        action, _ = agent.act(state, rng)
        following, reward, done = env.step(action)
        steps.append(Transition(state, action, reward, done))
        state = following
    return steps


def returns_of(rewards, gamma):
    out = np.zeros(len(rewards), dtype=np.float32)
    running = 0.0
    for t in range(len(rewards) - 1, -1, -1):
        running = rewards[t] + gamma * running
        out[t] = running
    return out


def n_step_matrix(length, gamma):
    """Row t holds the discounts of all later steps: an intended (T, 1) against (1, T)."""
    steps = np.arange(length)
    gap = steps.reshape(1, -1) - steps.reshape(-1, 1)
    return np.where(gap >= 0, gamma ** np.maximum(gap, 0), 0.0)


def stack(episodes):
    columns = Transition(*zip(*[step for episode in episodes for step in episode]))
    states = np.stack(columns.state)
    actions = np.asarray(columns.action, dtype=np.int32)
    rewards = [np.array([step.reward for step in episode], dtype=np.float32) for episode in episodes]
    return states, actions, rewards


def update(agent, optimizer, states, actions, returns, entropy_weight=0.01):
    returns = tf.convert_to_tensor(returns)
    with tf.GradientTape() as tape:
        logits, values = agent(states)
        advantage = returns - values
        chosen = tf.gather(tf.nn.log_softmax(logits), actions, axis=1, batch_dims=1)
        p = tf.nn.softmax(logits)
        entropy = -tf.reduce_sum(p * tf.nn.log_softmax(logits), axis=1)
        actor = -tf.reduce_mean(chosen * tf.stop_gradient(advantage) + entropy_weight * entropy)
        critic = tf.reduce_mean(tf.square(advantage))
        loss = actor + 0.5 * critic
    gradients = tape.gradient(loss, agent.trainable_variables)
    optimizer.apply_gradients(zip(gradients, agent.trainable_variables))
    return float(loss)


def fit_critic_only(agent, states, returns):
    """The same targets as a column, for Keras' own loss."""
    features = keras.Input((states.shape[1],))
    critic = keras.Model(features, keras.layers.Dense(1)(keras.layers.Dense(8, activation="relu")(features)))
    critic.compile("adam", "mse")
    critic.fit(states, returns[:, None], epochs=1, verbose=0)
    return critic.predict(states, verbose=0).ravel() - returns


def main(rounds=3, gamma=0.95):
    keras.utils.set_random_seed(1)
    rng = np.random.default_rng(4)
    env = LineWorld(rng=rng)
    agent = Agent(actions=2)
    optimizer = keras.optimizers.Adam(0.01)
    for number in range(rounds):
        episodes = [play(env, agent, rng) for _ in range(4)]
        states, actions, rewards = stack(episodes)
        returns = np.concatenate([returns_of(r, gamma) for r in rewards])
        check = np.concatenate([n_step_matrix(len(r), gamma) @ r for r in rewards])
        assert np.allclose(returns, check, atol=1e-4)
        scaled = (returns - returns.mean()) / (returns.std() + 1e-6)
        loss = update(agent, optimizer, states, actions, scaled.astype(np.float32))
        print(f"round {number}: {len(returns)} steps, loss {loss:.3f}")
    print("critic error", np.abs(fit_critic_only(agent, states, returns)).mean())


if __name__ == "__main__":
    main()
