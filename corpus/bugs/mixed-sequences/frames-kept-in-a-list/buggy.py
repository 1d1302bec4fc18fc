"""Frames of a simulated camera are gathered, and cut into windows for a model that reads sequences."""

import numpy as np

WINDOW = 4


def frames(count, rng):
    gathered = []
    for number in range(count):
        brightness = np.sin(number / 10)
        gathered.append(rng.normal(brightness, 0.1, (8, 8)))
    return gathered


def windows(video):
    count = video.shape[0] // WINDOW
    return video[: count * WINDOW].reshape(count, WINDOW, 64)


rng = np.random.default_rng(5)
sequences = windows(frames(22, rng))
print(sequences.shape, sequences.mean())
