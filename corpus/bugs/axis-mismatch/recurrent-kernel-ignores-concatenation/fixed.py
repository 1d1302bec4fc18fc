import numpy as np

params = dict(n_in=5, n_hidden=12, n_out=2, steps=8)


def init(n_in, n_hidden, n_out, **_):
    rng = np.random.default_rng(10)
    return {
        "W": rng.normal(scale=0.1, size=(n_hidden, n_in + n_hidden)),
        "b": np.zeros((n_hidden, 1)),
        "V": rng.normal(scale=0.1, size=(n_out, n_hidden)),
    }


def forward(p, xs):
    h = np.zeros_like(p["b"])
    for x in xs:
        z = np.vstack((x, h))
        h = np.tanh(np.dot(p["W"], z) + p["b"])
    return p["V"].dot(h)


sequence = np.random.default_rng(1).normal(size=(params["steps"], params["n_in"], 1))
print(forward(init(**params), sequence).ravel())
