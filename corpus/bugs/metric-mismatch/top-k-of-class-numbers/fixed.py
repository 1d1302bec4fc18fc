import numpy as np
from tensorflow.keras import layers, metrics, models

net = models.Sequential([layers.Dense(20, activation="softmax", input_shape=(11,))])
net.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",
    metrics=[metrics.SparseTopKCategoricalAccuracy(k=3)],
)
net.fit(np.random.rand(32, 11), np.random.randint(0, 20, (32, 1)), verbose=0)
