import tensorflow as tf
from tensorflow import keras


def make(units):
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(units, activation="relu"), keras.layers.Dense(1)])


generator, critic = make(6), make(12)
optimizers = {"generator": keras.optimizers.Adam(1e-3), "critic": keras.optimizers.Adam(2e-3)}
optimizers["generator"].build(generator.trainable_variables)
optimizers["critic"].build(critic.trainable_variables)


@tf.function
def improve(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


x, y = tf.random.normal([10, 4]), tf.random.normal([10, 1])
improve(generator, optimizers["generator"], x, y)
print(float(improve(critic, optimizers["critic"], x, y)))
