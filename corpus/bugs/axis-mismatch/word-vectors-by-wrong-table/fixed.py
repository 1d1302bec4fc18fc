import re

import numpy as np

TEXT = """the cat sat on the mat the dog sat on the rug
the cat chased the dog the dog chased the cat"""
DIM = 8
WINDOW = 2
ROOM = 50  # for words to come

words = re.findall(r"\w+", TEXT)
vocabulary = sorted(set(words))
number = {word: i for i, word in enumerate(vocabulary)}


def pairs(words, window):
    for i, center in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if i != j:
                yield number[center], number[words[j]]


class SkipGram:
    def __init__(self, vocabulary_size, dim, seed=0):
        rng = np.random.RandomState(seed)
        self.center = rng.normal(scale=0.1, size=(vocabulary_size, dim))
        self.context = rng.normal(scale=0.1, size=(dim, vocabulary_size))

    def step(self, center, context, rate):
        v = self.center[center]
        scores = np.dot(v, self.context)
        p = np.exp(scores - scores.max())
        p /= p.sum()
        error = p.copy()
        error[context] -= 1.0
        gradient = self.context.dot(error)
        self.context -= rate * np.outer(v, error)
        self.center[center] -= rate * gradient
        return -np.log(p[context])

    def similar(self, word, count=3):
        known = self.center[:len(vocabulary)]
        unit = known / np.linalg.norm(known, axis=1, keepdims=True)
        scores = unit.dot(unit[number[word]])
        return [vocabulary[k] for k in np.argsort(-scores)[1:count + 1]]


model = SkipGram(ROOM, DIM)
for epoch in range(3):
    losses = [model.step(c, o, rate=0.1) for c, o in pairs(words, WINDOW)]
    print("epoch", epoch, "loss", np.mean(losses))
print("cat:", model.similar("cat"))
