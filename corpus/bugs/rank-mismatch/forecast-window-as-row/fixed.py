import numpy as np
from tensorflow.keras.layers import LSTM, Dense, Dropout
from tensorflow.keras.models import Sequential

window = 60

# closing price and volume of 400 days
days = np.arange(400)
close = 100 + 0.1 * days + 3 * np.sin(days / 9.0)
volume = 1e6 + 1e4 * np.cos(days / 5.0)
data = np.vstack([close, volume]).T
low, high = data.min(axis=0), data.max(axis=0)
scaled = (data - low) / (high - low)

training_set = scaled[:300]
x_train = []
y_train = []
for i in range(window, len(training_set)):
    x_train.append(training_set[i - window:i])
    y_train.append(training_set[i, 0])
x_train, y_train = np.array(x_train), np.array(y_train)
print(x_train.shape, y_train.shape)

regressor = Sequential()
regressor.add(LSTM(units=8, return_sequences=True, input_shape=(x_train.shape[1], x_train.shape[2])))
regressor.add(Dropout(0.2))
regressor.add(LSTM(units=8))
regressor.add(Dropout(0.2))
regressor.add(Dense(units=1))
regressor.compile(optimizer="adam", loss="mean_squared_error")
regressor.fit(x_train, y_train, epochs=1, batch_size=32, verbose=0)

# tomorrow's price
real_data = scaled[len(scaled) - window:]
real_data = real_data.reshape(1, window, 2)
print(real_data.shape)
prediction = regressor.predict(real_data, verbose=0)
prediction = prediction * (high[0] - low[0]) + low[0]
print("tomorrow", prediction)
