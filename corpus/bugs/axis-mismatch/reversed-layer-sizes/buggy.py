import numpy as np

layers = [16, 24, 12, 3]
rng = np.random.default_rng(99)

weights = [rng.normal(0, 0.3, (n_out, n_in)) for n_in, n_out in zip(layers[:-1], layers[1:])]
biases = [np.zeros(n) for n in layers[1:]]


def forward(x):
    for w, b in zip(weights, biases):
        x = np.tanh(x @ w + b)
    return x


samples = rng.normal(size=(50, layers[0]))
print(forward(samples).shape)
