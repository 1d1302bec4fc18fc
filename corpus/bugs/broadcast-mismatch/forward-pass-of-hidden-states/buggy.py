import numpy as np

WEATHER = ("rainy", "cloudy", "sunny")
ACTIVITIES = ("walk", "shop", "clean", "read")

start = np.array([0.5, 0.3, 0.2])
transition = np.array([
    [0.6, 0.3, 0.1],
    [0.3, 0.4, 0.3],
    [0.1, 0.3, 0.6],
])
emission = np.array([
    [0.1, 0.2, 0.4, 0.3],
    [0.3, 0.3, 0.2, 0.2],
    [0.6, 0.2, 0.1, 0.1],
])


def forward(observations):
    """Scaled forward probabilities (steps, states) and the log-likelihood."""
    alpha = np.zeros((len(observations), len(start)))
    scale = np.zeros(len(observations))
    alpha[0] = start * emission[:, observations[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, len(observations)):
        alpha[t] = alpha[t - 1].dot(transition) * emission[observations[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return alpha, np.log(scale).sum()


def viterbi(observations):
    best = np.log(start) + np.log(emission[:, observations[0]])
    back = []
    for symbol in observations[1:]:
        scores = best[:, None] + np.log(transition)
        back.append(scores.argmax(axis=0))
        best = scores.max(axis=0) + np.log(emission[:, symbol])
    path = [int(best.argmax())]
    for pointers in reversed(back):
        path.insert(0, int(pointers[path[0]]))
    return path


diary = [ACTIVITIES.index(name) for name in ["walk", "walk", "shop", "clean", "read", "clean"]]
print("path", [WEATHER[k] for k in viterbi(diary)])
alpha, likelihood = forward(diary)
print("likelihood", likelihood)
print(np.round(alpha, 3))
