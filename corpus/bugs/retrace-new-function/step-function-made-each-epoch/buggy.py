import tensorflow as tf


def build(hidden):
    return tf.keras.Sequential([
        tf.keras.layers.Input([9]),
        tf.keras.layers.Dense(hidden, activation="tanh"),
        tf.keras.layers.Dense(1),
    ])


def make_step(net, opt):
    @tf.function
    def step(inputs, targets):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.math.squared_difference(net(inputs), targets))
        opt.apply_gradients(zip(tape.gradient(error, net.trainable_weights), net.trainable_weights))
        return error

    return step


net = build(12)
opt = tf.keras.optimizers.RMSprop(1e-3)
xs = tf.random.normal([96, 9])
ys = tf.reduce_sum(xs, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(24)
for epoch in range(8):
    run = make_step(net, opt)
    for inputs, targets in data:
        error = run(inputs, targets)
    print("epoch", epoch, "error", error.numpy())
