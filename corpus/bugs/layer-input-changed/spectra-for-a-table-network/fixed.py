# %%
import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential

np.random.seed(0)

# %%
# 7 measurements per patient, each over 169 time points
patients = 40
X = np.random.normal(size=(patients, 7, 169))
Y = np.random.randint(0, 2, size=patients)
print("data", X.shape, Y.shape)

# %%
order = np.random.permutation(patients)
cut = int(patients * 0.7)
X_train, X_test = X[order[:cut]], X[order[cut:]]
y_train, y_test = Y[order[:cut]], Y[order[cut:]]
X_train = X_train.reshape(len(X_train), -1)
X_test = X_test.reshape(len(X_test), -1)

# %%
# define the model
model = Sequential()
model.add(Dense(12, input_dim=7 * 169, activation="relu"))
model.add(Dense(8, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])

# %%
history = model.fit(X_train, y_train, epochs=2, batch_size=10, verbose=0)
print(history.history["accuracy"])

# %%
predictions = (model.predict(X_test, verbose=0) > 0.5).astype(int)
for i in range(3):
    print(predictions[i], y_test[i])
