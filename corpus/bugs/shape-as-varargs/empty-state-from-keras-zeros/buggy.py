import keras
from keras import ops

BATCH, UNITS = 3, 9
cell = keras.layers.GRUCell(UNITS)
state = ops.zeros(BATCH, UNITS)
print(state.shape, state.dtype)
