import tensorflow as tf
import keras


class Encoder(tf.Module):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(6, activation="relu")
        self.drop = keras.layers.Dropout(0.5)
        self.dense.build((None, 4))

    @tf.function(reduce_retracing=True)
    def __call__(self, x, training=False):
        return self.drop(self.dense(x), training=training)


encoder = Encoder()
x = tf.random.normal([3, 4])
print(encoder(x).shape)
print(encoder(x, training=True).shape)
