import keras
import tensorflow as tf


class Wgan(keras.Model):
    def __init__(self):
        super().__init__()
        self.critic = keras.layers.Dense(1)
        self.step_number = tf.Variable(0, trainable=False)

    def call(self, x):
        return self.critic(x)

    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(x))
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.step_number.assign_add(1)
        scale = 1.0 / tf.cast(self.step_number, tf.float32)
        self.optimizer.apply_gradients([(scale * g, v) for g, v in zip(gradients, self.critic.trainable_variables)])
        return {"loss": loss}


model = Wgan()
model.compile(optimizer="sgd")
model.fit(tf.random.normal([32, 5]), batch_size=8, epochs=2, verbose=0)
