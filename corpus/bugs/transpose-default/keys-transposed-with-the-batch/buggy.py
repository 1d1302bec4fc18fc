import numpy as np
import keras
from keras import ops

queries = keras.Input((8, 4))
keys = keras.Input((8, 4))
turned = ops.transpose(keys)
model = keras.Model([queries, keys], ops.sum(turned, axis=0))
print(model.predict([np.random.rand(8, 8, 4), np.random.rand(8, 8, 4)], verbose=0).shape)
