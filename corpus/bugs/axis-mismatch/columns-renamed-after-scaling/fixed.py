import numpy as np
import pandas as pd
from keras import Sequential
from keras.layers import Dense, Input
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(3)
rows = 150
df = pd.DataFrame({
    "distance": rng.gamma(2.0, 40.0, rows),
    "stops": rng.integers(0, 6, rows),
    "weight": rng.normal(800, 90, rows),
    "fuel": rng.normal(30, 4, rows),
})

target = "fuel"
features = [c for c in df.columns if c != target]

scaler = StandardScaler()
scaler.fit(df[features])
X = df[features]
y = df[target]
X_train, X_test, y_train, y_test = train_test_split(X.values, y.values, test_size=0.2, random_state=1)
X_train = scaler.transform(X_train)
X_test = scaler.transform(X_test)

model = Sequential([
    Input((X_train.shape[1],)),
    Dense(16, activation="relu"),
    Dense(1),
])
model.compile(optimizer="adam", loss="mae")
model.fit(X_train, y_train, epochs=2, validation_data=(X_test, y_test), verbose=0)
print(model.evaluate(X_test, y_test, verbose=0))
