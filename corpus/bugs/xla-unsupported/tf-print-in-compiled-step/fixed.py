import tensorflow as tf
from tensorflow import keras

net = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])


@tf.function(jit_compile=True)
def loss_and_gradient(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.math.squared_difference(net(x), y))
    return loss, tape.gradient(loss, net.trainable_variables)


loss, gradients = loss_and_gradient(tf.random.normal([10, 4]), tf.random.normal([10, 1]))
tf.print("loss", loss)
print(len(gradients))
