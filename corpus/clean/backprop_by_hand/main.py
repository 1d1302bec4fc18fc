"""A neural network library in one file: layers with forward and backward passes, nothing but NumPy."""
import abc

import numpy as np


class Layer(abc.ABC):
    trainable = False

    @abc.abstractmethod
    def forward(self, x, train=True): ...

    @abc.abstractmethod
    def backward(self, grad): ...

    @property
    def params(self):
        return []


class Linear(Layer):
    trainable = True

    def __init__(self, n_in, n_out, rng=None):
        rng = rng if rng is not None else np.random.default_rng(0)
        self.w = rng.normal(0, np.sqrt(2.0 / n_in), (n_in, n_out))
        self.b = np.zeros(n_out)
        self.dw, self.db = np.zeros_like(self.w), np.zeros_like(self.b)

    def forward(self, x, train=True):
        self.x = x
        return x @ self.w + self.b

    def backward(self, grad):
        self.dw[...] = self.x.T @ grad
        self.db[...] = grad.sum(axis=0)
        return grad @ self.w.T

    @property
    def params(self):
        return [(self.w, self.dw), (self.b, self.db)]


class ReLU(Layer):
    def forward(self, x, train=True):
        self.on = x > 0
        return np.where(self.on, x, 0.0)

    def backward(self, grad):
        out = grad.copy()
        out[~self.on] = 0
        return out


class BatchNorm(Layer):
    trainable = True

    def __init__(self, size, momentum=0.9):
        self.gamma, self.beta = np.ones((1, size)), np.zeros((1, size))
        self.dgamma, self.dbeta = np.zeros_like(self.gamma), np.zeros_like(self.beta)
        self.mean, self.var, self.momentum = np.zeros((1, size)), np.ones((1, size)), momentum

    def forward(self, x, train=True):
        if train:
            mean, var = x.mean(0, keepdims=True), x.var(0, keepdims=True)
            self.mean += (1 - self.momentum) * (mean - self.mean)
            self.var += (1 - self.momentum) * (var - self.var)
        else:
            mean, var = self.mean, self.var
        self.scale = 1.0 / np.sqrt(var + 1e-5)
        self.hat = (x - mean) * self.scale
        return self.gamma * self.hat + self.beta

    def backward(self, grad):
        n = len(grad)
        self.dgamma[:] = (grad * self.hat).sum(axis=0, keepdims=True)
        self.dbeta[:] = grad.sum(axis=0, keepdims=True)
        inner = n * grad - self.dbeta - self.hat * self.dgamma
        return self.gamma * self.scale / n * inner

    @property
    def params(self):
        return [(self.gamma, self.dgamma), (self.beta, self.dbeta)]


class Conv1D(Layer):
    """Valid convolution by patches; channels last. Batch and position are merged for one matrix product."""

    trainable = True

    def __init__(self, window, n_in, n_out, rng):
        self.window, self.n_in = window, n_in
        self.inner = Linear(window * n_in, n_out, rng)

    def forward(self, x, train=True):
        self.shape = batch, length, _ = x.shape
        steps = length - self.window + 1
        columns = np.stack([x[:, i:i + steps] for i in range(self.window)], axis=2)
        flat = columns.reshape(batch * steps, self.window * self.n_in)
        return self.inner.forward(flat).reshape(batch, steps, -1)

    def backward(self, grad):
        batch, steps, n_out = grad.shape
        flat = self.inner.backward(grad.reshape(-1, n_out))
        columns = flat.reshape(batch, steps, self.window, self.n_in)
        out = np.zeros(self.shape)
        for i in range(self.window):
            out[:, i:i + steps] += columns[:, :, i]
        return out

    @property
    def params(self):
        return self.inner.params


class Flatten(Layer):
    def forward(self, x, train=True):
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, grad):
        return grad.reshape(self.shape)


class Network:
    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, x, train=False):
        for layer in self.layers:
            x = layer.forward(x, train)
        return x

    def step(self, x, y, rate=0.05):
        logits = self(x, train=True)
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        rows = np.arange(len(y))
        loss = -np.log(p[rows, y] + 1e-12).mean()
        grad = p
        grad[rows, y] -= 1
        grad /= len(y)
        for layer in reversed(self.layers):
            grad = layer.backward(grad)
        for layer in self.layers:
            for value, slope in layer.params if layer.trainable else ():
                value -= rate * slope
        return loss


def check_gradient(net, x, y, eps=1e-5):
    """Compares one analytic slope with a finite difference."""
    net.step(x, y, rate=0.0)
    layer = next(layer for layer in net.layers if layer.trainable)
    value, slope = layer.params[0]
    spot = np.unravel_index(np.argmax(np.abs(slope)), slope.shape)
    value[spot] += eps
    above = net.step(x, y, rate=0.0)
    value[spot] -= 2 * eps
    below = net.step(x, y, rate=0.0)
    value[spot] += eps
    net.step(x, y, rate=0.0)
    return abs((above - below) / (2 * eps) - slope[spot])


def main():
    rng = np.random.default_rng(3)
    series = rng.normal(size=(45, 16, 2))
    target = (series[..., 0].mean(axis=1) > 0).astype(int) + (series[..., 1].max(axis=1) > 2)
    conv = Network(Conv1D(4, 2, 6, rng), ReLU(), Flatten(), Linear(13 * 6, 10, rng), BatchNorm(10), Linear(10, 3, rng))
    print("gradient gap", check_gradient(conv, series[:8], target[:8]))
    for epoch in range(8):
        losses = [conv.step(series[i:i + 10], target[i:i + 10]) for i in range(0, len(series), 10)]
        accuracy = (conv(series).argmax(axis=1) == target).mean()
    print(f"loss {np.mean(losses):.3f} accuracy {accuracy:.2f}")


if __name__ == "__main__":
    main()
