import tensorflow as tf
import keras

model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(3)])
optimizer = keras.optimizers.Adam(0.01)


def objective(labels, logits):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


@tf.function
def step(x, labels):
    with tf.GradientTape() as tape:
        loss = objective(labels, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


x = tf.random.normal([20, 6])
print(float(step(x, tf.random.uniform([20], maxval=3, dtype=tf.int32))))
