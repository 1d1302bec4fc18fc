import numpy as np
import keras

images = keras.Input((16, 20, 3))
planes = keras.ops.transpose(images, (0, 3, 1, 2))
means = keras.ops.mean(planes, axis=(2, 3))
print(keras.Model(images, means)(np.random.rand(2, 16, 20, 3)).shape)
