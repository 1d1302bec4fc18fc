import numpy as np

DAYS = 250
CAPITAL = 1000.0

prices = np.linspace(10, 14, DAYS) + np.sin(np.arange(DAYS) / 7.0)
# returns from the second day on
returns = np.diff(prices) / prices[:-1]

threshold = prices.mean()
high = prices > threshold
position = np.where(high, returns, -returns)
equity = np.cumprod(1 + position)
drawdown = (np.maximum.accumulate(equity) - equity).max()
print("final equity", CAPITAL * equity[-1], "drawdown", drawdown)
