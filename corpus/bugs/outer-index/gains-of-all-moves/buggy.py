"""A player of a small game that learns what each move is worth from a memory of moves."""

import random

import numpy as np
from tensorflow import keras

PLACES, MOVES = 9, 4
DISCOUNT = 0.9


class Player:
    def __init__(self):
        self.memory = []
        self.network = keras.Sequential(
            [keras.Input((PLACES,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(MOVES)]
        )
        self.network.compile(optimizer="adam", loss="mse")

    def remember(self, before, move, gain, after):
        self.memory.append((before, move, gain, after))

    def learn(self, count):
        drawn = random.sample(self.memory, count)
        before = np.array([each[0] for each in drawn])
        moves = np.array([each[1] for each in drawn])
        gains = np.array([each[2] for each in drawn])
        after = np.array([each[3] for each in drawn])
        worth = self.network.predict(before, verbose=0)
        later = self.network.predict(after, verbose=0).max(axis=1)
        worth[:, moves] = gains + DISCOUNT * later
        self.network.fit(before, worth, verbose=0)


player = Player()
board = np.zeros(PLACES)
for _ in range(96):
    move = np.random.randint(MOVES)
    after = np.roll(board + np.eye(PLACES)[move], 1)
    player.remember(board, move, float(move == 2), after)
    board = after % 2
player.learn(48)
