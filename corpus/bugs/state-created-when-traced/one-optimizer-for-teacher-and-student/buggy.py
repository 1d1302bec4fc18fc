import keras
import tensorflow as tf

teacher = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(2)])
student = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(3), keras.layers.Dense(2)])
optimizer = keras.optimizers.Adam(1e-3)


def update(model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


x, y = tf.random.normal([16, 4]), tf.random.normal([16, 2])
print(update(teacher, x, y))
print(update(student, x, y))
