import numpy as np

STATES = ["sunny", "cloudy", "rain", "snow"]
INDEX = {name: i for i, name in enumerate(STATES)}


def read_diary(days, seed=12):
    rng = np.random.default_rng(seed)
    state, diary = "sunny", []
    for _ in range(days):
        diary.append(state)
        if rng.random() > 0.6:
            state = STATES[rng.integers(len(STATES))]
    return diary


def count_transitions(diary):
    counts = np.ones((len(STATES), len(STATES)))
    for before, after in zip(diary[:-1], diary[1:]):
        counts[INDEX[before], INDEX[after]] += 1
    return counts


def transition_matrix(diary):
    counts = count_transitions(diary)
    return counts / counts.sum(axis=1)


def forecast(matrix, today, days):
    belief = np.zeros(len(STATES))
    belief[INDEX[today]] = 1.0
    for _ in range(days):
        belief = belief @ matrix
    return belief


if __name__ == "__main__":
    matrix = transition_matrix(read_diary(400))
    for name, row in zip(STATES, matrix):
        print("%8s" % name, np.round(row, 2))
    for days in (1, 7):
        print(days, "days:", dict(zip(STATES, np.round(forecast(matrix, "rain", days), 2))))
