import numpy as np


class TinyNet:
    def __init__(self, sizes, rate=0.1):
        rng = np.random.RandomState(8)
        self.rate = rate
        self.w1 = rng.randn(sizes[0], sizes[1]) * 0.1
        self.w2 = rng.randn(sizes[1], sizes[2]) * 0.1

    @staticmethod
    def sigmoid(z):
        return 1.0 / (1.0 + np.exp(-z))

    def forward(self, x):
        self.x = x
        self.h = self.sigmoid(np.dot(x, self.w1))
        return self.sigmoid(np.dot(self.h, self.w2))

    def backward(self, out, target):
        delta_out = (out - target) * out * (1 - out)
        delta_hid = np.dot(delta_out, self.w2.T) * self.h * (1 - self.h)
        grad2 = np.dot(self.h.T, delta_out)
        grad1 = np.dot(self.x.T, delta_hid)
        self.w2 -= self.rate * grad2
        self.w1 -= self.rate * grad1


data = np.random.RandomState(1).rand(12, 4)
target = (data.sum(axis=1, keepdims=True) > 2).astype(float)
target = np.hstack([target, 1 - target])

net = TinyNet((4, 7, 2))
for epoch in range(20):
    out = net.forward(data)
    net.backward(out, target)
print(np.abs(out - target).mean())
