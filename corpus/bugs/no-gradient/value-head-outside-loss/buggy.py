import tensorflow as tf
from tensorflow.keras import layers, optimizers

trunk, policy, value = layers.Dense(12, activation="relu"), layers.Dense(2), layers.Dense(1)
for layer, width in ((trunk, 4), (policy, 12), (value, 12)):
    layer.build((None, width))
variables = trunk.trainable_variables + policy.trainable_variables + value.trainable_variables
optimizer = optimizers.Adam(1e-3)
optimizer.build(variables)


@tf.function
def update(states, actions, returns):
    with tf.GradientTape() as tape:
        hidden = trunk(states)
        log_probabilities = tf.nn.log_softmax(policy(hidden))
        baseline = tf.squeeze(value(hidden), axis=1)
        advantage = tf.stop_gradient(returns - baseline)
        chosen = tf.reduce_sum(log_probabilities * tf.one_hot(actions, 2), axis=1)
        loss = -tf.reduce_mean(chosen * advantage)
    grads = tape.gradient(loss, variables)
    clipped = [tf.clip_by_norm(grad, 1.0) for grad in grads]
    optimizer.apply_gradients(zip(clipped, variables))
    return loss


print(float(update(tf.random.normal([6, 4]), tf.constant([0, 1, 0, 1, 1, 0]), tf.ones([6]))))
