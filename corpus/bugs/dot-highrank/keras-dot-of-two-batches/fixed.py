import numpy as np
from keras import ops

maps = ops.convert_to_tensor(np.random.rand(3, 6, 4).astype("float32"))
gram = ops.matmul(ops.transpose(maps, (0, 2, 1)), maps)
style = ops.mean(ops.square(gram))
print(gram.shape, float(style))
