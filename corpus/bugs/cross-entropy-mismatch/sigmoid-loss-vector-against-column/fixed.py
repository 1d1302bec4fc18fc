import tensorflow as tf


class ClickModel(tf.keras.Model):
    def __init__(self, width):
        super().__init__()
        self.body = tf.keras.layers.Dense(width, activation="relu")
        self.head = tf.keras.layers.Dense(1)

    def call(self, visits):
        return self.head(self.body(visits))


def loss_fn(labels, logits):
    logits = tf.squeeze(logits, axis=-1)
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))


visits = tf.random.normal([32, 11])
clicked = tf.cast(tf.random.uniform([32]) > 0.5, tf.float32)

model = ClickModel(16)
optimizer = tf.keras.optimizers.SGD(0.1)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(clicked, model(visits))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
print(float(loss))
