"""Q-learning in a maze: a plain Python environment, traced steps with tensors as arguments, a target that is copied."""
import random

import numpy as np
import tensorflow as tf

WALLS = {(1, 1), (1, 2), (3, 1)}
SIDE = 4


class Maze:
    def __init__(self):
        self.place = (0, 0)

    def reset(self):
        self.place = (0, 0)
        return self.place

    def step(self, action):
        row, column = self.place
        row += (action == 1) - (action == 0)
        column += (action == 3) - (action == 2)
        if 0 <= row < SIDE and 0 <= column < SIDE and (row, column) not in WALLS:
            self.place = (row, column)
        return self.place, 1.0 if self.place == (3, 3) else -0.02, self.place == (3, 3)


def code(place):
    return place[0] * SIDE + place[1]


table = tf.Variable(tf.zeros([SIDE * SIDE, 4]))
target = tf.Variable(tf.zeros([SIDE * SIDE, 4]))


@tf.function
def learn(states, actions, rewards, following, finished):
    best = tf.reduce_max(tf.gather(target, following), axis=1)
    wanted = rewards + 0.9 * (1.0 - finished) * best
    with tf.GradientTape() as tape:
        chosen = tf.gather_nd(table, tf.stack([states, actions], axis=1))
        loss = tf.reduce_mean(tf.square(wanted - chosen))
    slope = tf.convert_to_tensor(tape.gradient(loss, table))
    table.assign_sub(4.0 * slope)
    return loss


@tf.function
def copy():
    target.assign(table)


def main():
    random.seed(1)
    maze, memory = Maze(), []
    for episode in range(25):
        place, done, count = maze.reset(), False, 0
        while not done and count < 40:
            greedy = int(np.argmax(table.numpy()[code(place)]))
            action = random.randrange(4) if random.random() < 0.5 else greedy
            following, reward, done = maze.step(action)
            memory.append((code(place), action, reward, code(following), float(done)))
            place, count = following, count + 1
        batch = random.sample(memory, 32) if len(memory) >= 32 else random.choices(memory, k=32)
        states, actions, rewards, after, finished = (np.array(column) for column in zip(*batch))
        loss = learn(tf.constant(states, tf.int32), tf.constant(actions, tf.int32), tf.constant(rewards, tf.float32),
                     tf.constant(after, tf.int32), tf.constant(finished, tf.float32))
        if episode % 5 == 0:
            copy()
    print("steps", len(memory), "loss", float(loss))


main()
