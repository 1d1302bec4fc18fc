import io

import numpy as np
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

COLUMNS = ["id", "radius", "texture", "perimeter", "area", "smoothness", "diagnosis"]
rng = np.random.default_rng(3)
text = "\n".join(",".join(f"{v:.2f}" for v in row) for row in rng.normal(size=(80, 7)))

df = pd.read_csv(io.StringIO(text), names=COLUMNS)
df["diagnosis"] = (df["diagnosis"] > 0).astype(int)
X = df.iloc[:, 1:6].values
y = df.iloc[:, 6].values

X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=1)
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
X_test = scaler.transform(X_test)

classifier = tf.keras.models.Sequential()
classifier.add(tf.keras.layers.Dense(units=16, activation="relu", input_dim=5))
classifier.add(tf.keras.layers.Dense(units=8, activation="relu"))
classifier.add(tf.keras.layers.Dense(units=1, activation="sigmoid"))
classifier.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])

classifier.fit(X_train, y_train, batch_size=10, epochs=1, verbose=0)
y_pred = classifier.predict(X_test, verbose=0) > 0.5
print(y_pred.mean())
