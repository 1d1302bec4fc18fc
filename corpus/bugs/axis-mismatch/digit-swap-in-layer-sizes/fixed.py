"""A small perceptron for digits, one example at a time, each a column of 784 pixels."""
import random

import numpy as np


def squash(z):
    return 1.0 / (1.0 + np.exp(-z))


def unit_column(digit, length=10):
    column = np.zeros((length, 1))
    column[digit] = 1.0
    return column


def make_examples(count, seed):
    generator = np.random.RandomState(seed)
    examples = []
    for _ in range(count):
        digit = generator.randint(10)
        pixels = generator.rand(28, 28)
        pixels[digit * 2:digit * 2 + 2] += 1.0
        examples.append((np.reshape(pixels, (784, 1)), digit))
    return examples


class Perceptron:
    def __init__(self, sizes, seed=0):
        generator = np.random.RandomState(seed)
        self.sizes = sizes
        self.offsets = [generator.randn(n, 1) for n in sizes[1:]]
        self.weights = [generator.randn(n, m) / np.sqrt(m) for m, n in zip(sizes[:-1], sizes[1:])]

    def layers(self, column):
        """The activations of all layers, the input first."""
        results = [column]
        for weight, offset in zip(self.weights, self.offsets):
            results.append(squash(np.dot(weight, results[-1]) + offset))
        return results

    def gradients(self, column, wanted):
        found = self.layers(column)
        delta = (found[-1] - wanted) * found[-1] * (1 - found[-1])
        steps = []
        for index in reversed(range(len(self.weights))):
            steps.insert(0, (np.dot(delta, found[index].T), delta))
            if index:
                delta = np.dot(self.weights[index].T, delta) * found[index] * (1 - found[index])
        return steps

    def learn(self, examples, rounds, rate, group=10):
        for turn in range(rounds):
            random.shuffle(examples)
            for start in range(0, len(examples), group):
                part = examples[start:start + group]
                for column, digit in part:
                    for index, (dw, db) in enumerate(self.gradients(column, unit_column(digit))):
                        self.weights[index] -= rate / len(part) * dw
                        self.offsets[index] -= rate / len(part) * db
            print("round", turn)

    def classify(self, column):
        return int(np.argmax(self.layers(column)[-1]))


training, test = make_examples(60, 0), make_examples(20, 1)
net = Perceptron([784, 15, 10])
net.learn(training, rounds=1, rate=3.0)
print(sum(net.classify(column) == digit for column, digit in test), "of", len(test))
