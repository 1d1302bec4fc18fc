import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
adam = keras.optimizers.Adam(0.01)
adam.build(model.trainable_variables)


@tf.function
def train(x, y):
    optimizer = keras.optimizers.Adam(0.01)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for _ in range(3):
    loss = train(tf.random.normal([10, 3]), tf.zeros([10, 1]))
print(float(loss))
