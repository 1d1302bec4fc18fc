import numpy as np

LEARNING_RATE = 0.5
ROUNDS = 2000


def squash(values):
    return 1.0 / (1.0 + np.exp(-values))


def slope(activation):
    """The derivative of squash, given its result."""
    return activation * (1 - activation)


# two bits and a constant for the bias; the answer is their exclusive or
bits = np.array([
    [0, 0, 1],
    [0, 1, 1],
    [1, 0, 1],
    [1, 1, 1],
])
wanted = np.array([0, 1, 1, 0]).reshape(-1, 1)

generator = np.random.RandomState(4)
into_hidden = generator.uniform(-1, 1, size=(3, 4))
into_answer = generator.uniform(-1, 1, size=(4, 1))

for turn in range(ROUNDS):
    hidden = squash(bits.dot(into_hidden))
    answer = squash(hidden.dot(into_answer))

    miss = wanted - answer
    if turn % 500 == 0:
        print("turn", turn, "mean miss", np.abs(miss).mean())

    answer_delta = miss * slope(answer)
    hidden_miss = answer_delta.dot(into_answer.T)
    hidden_delta = hidden_miss * slope(hidden)

    into_answer += LEARNING_RATE * hidden.T.dot(answer_delta)
    into_hidden += LEARNING_RATE * bits.T.dot(hidden_delta)

print("answers after training")
for row, value in zip(bits, answer):
    print(row[:2], value)
