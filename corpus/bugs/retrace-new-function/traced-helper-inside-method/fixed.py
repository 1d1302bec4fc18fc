import tensorflow as tf
from tensorflow import keras


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.optimizer.build(model.trainable_variables)
        self.compiled = tf.function(self.forward_backward)

    def forward_backward(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.huber(y, self.model(x, training=True)))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def train_on(self, x, y):
        return float(self.compiled(x, y))


network = keras.Sequential([keras.Input((3,)), keras.layers.Dense(8, activation="gelu"), keras.layers.Dense(1)])
trainer = Trainer(network, keras.optimizers.RMSprop(0.01))
data = tf.data.Dataset.from_tensor_slices((tf.random.normal([60, 3]), tf.random.normal([60, 1]))).batch(10)
for epoch in range(2):
    losses = [trainer.train_on(x, y) for x, y in data]
    print(epoch, sum(losses) / len(losses))
