import keras
import tensorflow as tf

teacher = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(2)])
student = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(3), keras.layers.Dense(2)])
optimizers = [keras.optimizers.Adam(1e-3) for _ in range(2)]


def update(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


x, y = tf.random.normal([16, 4]), tf.random.normal([16, 2])
print(update(teacher, optimizers[0], x, y))
print(update(student, optimizers[1], x, y))
