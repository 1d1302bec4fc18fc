import tensorflow as tf
from tensorflow import keras


class TwoPhase(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = keras.layers.Dense(10, activation="relu")
        self.coarse = keras.layers.Dense(2)
        self.fine = None

    def call(self, x, fine=False):
        h = self.body(x)
        if not fine:
            return self.coarse(h)
        if self.fine is None:
            self.fine = keras.layers.Dense(20)
        return self.fine(h)


model = TwoPhase()
run = tf.function(lambda x, fine: model(x, fine=fine))
x = tf.random.normal([4, 6])
print(run(x, False).shape)
print(run(x, True).shape)
