from collections import deque

import keras
import numpy as np


class FrameStack:
    def __init__(self, count, size):
        self.frames = deque(maxlen=count)
        self.count, self.size = count, size

    def reset(self, frame):
        for _ in range(self.count):
            self.frames.append(frame)
        return self.state()

    def push(self, frame):
        self.frames.append(frame)
        return self.state()

    def state(self):
        return np.stack(self.frames, axis=0)


def network(size, frames, actions):
    inputs = keras.Input((size, size, frames))
    x = keras.layers.Conv2D(8, 8, strides=4, activation="relu")(inputs)
    x = keras.layers.Flatten()(x)
    return keras.Model(inputs, keras.layers.Dense(actions)(x))


SIZE, FRAMES = 42, 4
stack = FrameStack(FRAMES, SIZE)
state = stack.reset(np.zeros((SIZE, SIZE)))
model = network(SIZE, FRAMES, 3)
values = model.predict(state[np.newaxis], verbose=0)
print(values.argmax())
