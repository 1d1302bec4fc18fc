import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
mse = keras.losses.MeanSquaredError()


@tf.function
def evaluate(dataset):
    total = 0
    batches = 0.0
    for x, y in dataset:
        total += mse(y, model(x))
        batches += 1.0
    return total / batches


data = tf.data.Dataset.from_tensor_slices((tf.random.normal([12, 3]), tf.random.normal([12, 1]))).batch(5)
print(float(evaluate(data)))
