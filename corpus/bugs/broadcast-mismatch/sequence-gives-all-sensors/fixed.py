import numpy as np
from tensorflow import keras
class Windows(keras.utils.Sequence):
    def __init__(self, data, window, batch):
        super().__init__()
        self.data, self.window, self.batch = data, window, batch
    def __len__(self):
        return (len(self.data) - self.window) // self.batch
    def __getitem__(self, i):
        start = i * self.batch
        x = np.stack([self.data[start + k:start + k + self.window] for k in range(self.batch)])
        y = np.stack([self.data[start + k + self.window] for k in range(self.batch)])
        return x, y
data = np.random.rand(500, 6).astype("float32")
gen = Windows(data, 24, 16)
model = keras.Sequential([keras.Input((24, 6)), keras.layers.GRU(32), keras.layers.Dense(6)])
model.compile("adam", "mse")
model.fit(gen, epochs=1, verbose=0)
