import numpy as np

rng = np.random.default_rng(5)
area = rng.uniform(30, 200, size=(70, 1))
price = 2.5 * area[:, 0] + rng.normal(0, 10, size=70)

area = (area - area.mean()) / area.std()
price = (price - price.mean()) / price.std()
price = price.reshape(-1, 1)

w = np.zeros((1, 1))
b = 0.0
for epoch in range(50):
    guess = area @ w + b
    error = guess - price
    grad_w = area.T @ error / len(area)
    w = w - 0.1 * grad_w.mean()
    b = b - 0.1 * error.mean()
    if epoch % 10 == 0:
        print(epoch, "mse", (error ** 2).mean())
