import numpy as np

prices = np.linspace(10, 14, 250) + np.sin(np.arange(250) / 7.0)
returns = np.diff(prices) / prices[:-1]

threshold = prices.mean()
high = prices[1:] > threshold
position = np.where(high, returns, -returns)
equity = np.cumprod(1 + position)
print("final equity", equity[-1])
