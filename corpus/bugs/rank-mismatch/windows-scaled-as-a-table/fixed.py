import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(9)
gestures = rng.normal(size=(60, 25, 6))
names = rng.integers(0, 4, 60)
known, unseen, _, _ = train_test_split(gestures, names, test_size=0.25, random_state=2)
scaler = StandardScaler()
known = scaler.fit_transform(known.reshape(-1, known.shape[-1])).reshape(known.shape)
unseen = scaler.transform(unseen.reshape(-1, unseen.shape[-1])).reshape(unseen.shape)
print(known.mean(), unseen.std())
