import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01, momentum=0.9)
optimizer.build(model.trainable_variables)
mse = keras.losses.MeanSquaredError()


@tf.function
def step(x, y, iteration):
    noise = 0.1 / (1.0 + tf.cast(iteration, tf.float32))
    with tf.GradientTape() as tape:
        prediction = model(x + noise * tf.random.normal(tf.shape(x)))
        loss = mse(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


x = tf.random.normal([50, 5])
y = tf.reduce_sum(x, axis=1, keepdims=True)
for epoch in range(9):
    loss = step(x, y, int(optimizer.iterations))
print(float(loss))
