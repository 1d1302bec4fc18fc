import tensorflow as tf


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(12, activation="relu")
        self.out = tf.keras.layers.Dense(3, activation="softmax")

    def call(self, x):
        return self.out(self.hidden(x))


model = Classifier()
labels = tf.constant([0, 2, 1, 1])
with tf.GradientTape() as tape:
    scores = model(tf.random.normal([4, 5]))
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=scores)
print(tf.reduce_mean(loss).numpy(), len(tape.gradient(loss, model.trainable_variables)))
