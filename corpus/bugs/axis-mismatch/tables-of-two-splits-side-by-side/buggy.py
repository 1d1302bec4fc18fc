# In[1]:
import numpy as np

rng = np.random.default_rng(2020)

# In[2]:
# hourly load of a building for 13 weeks
hours = 13 * 7 * 24
clock = np.arange(hours)
load = 50 + 20 * np.sin(2 * np.pi * clock / 24) + rng.normal(scale=3, size=hours)

# In[3]:
LAGS = 9


def lag_table(series, lags):
    """Rows of `lags` consecutive values; the first rows, which lack history, are left out."""
    columns = [series[k:len(series) - lags + k] for k in range(lags)]
    return np.stack(columns, axis=1)


# In[4]:
week = 7 * 24
train_load, test_load = load[:11 * week + LAGS], load[11 * week:]
X_train = lag_table(train_load, LAGS)
print("train", X_train.shape)

# In[5]:
# the temperature of the same hours
temperature = 10 + 8 * np.sin(2 * np.pi * (clock - 6) / 24) + rng.normal(size=hours)
train_temperature = temperature[:10 * week + LAGS]
T_train = lag_table(train_temperature, LAGS)
print("temperature", T_train.shape)

# In[6]:
X = np.concatenate([X_train, T_train], axis=1)
y = train_load[LAGS:]
print(X.shape, y.shape)

# In[7]:
# ridge regression in closed form
A = np.hstack([X, np.ones((len(X), 1))])
w = np.linalg.solve(A.T @ A + 0.1 * np.eye(A.shape[1]), A.T @ y)
print("training error", np.abs(A @ w - y).mean())
