import tempfile
import tensorflow as tf


class Config:
    pass


class Encoder(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.normal([100, 8]))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def encode(self, ids):
        return tf.gather(self.table, ids)


encoder = Encoder()
print(encoder.encode(tf.constant([1, 2])).shape)
tf.saved_model.save(encoder, tempfile.mkdtemp())
