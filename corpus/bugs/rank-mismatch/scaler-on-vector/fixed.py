import numpy as np
import pandas as pd
from keras import Sequential, layers
from sklearn.preprocessing import MinMaxScaler

frame = pd.DataFrame({"price": np.arange(50.0), "volume": np.arange(50.0) * 3})
scaler = MinMaxScaler(feature_range=(0, 1))
prices = scaler.fit_transform(frame[["price"]])
LOOKBACK = 5
X = np.array([prices[i - LOOKBACK:i, 0] for i in range(LOOKBACK, len(prices))])
y = prices[LOOKBACK:, 0]
model = Sequential([layers.Input((LOOKBACK,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(X, y, epochs=1, verbose=0)
