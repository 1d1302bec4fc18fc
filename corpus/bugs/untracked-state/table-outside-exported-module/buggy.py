import tempfile

import tensorflow as tf

keys = tf.constant(["red", "green", "blue"])
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, tf.range(3)), -1)


class Colours(tf.Module):
    def __init__(self):
        super().__init__()
        self.vectors = tf.Variable(tf.random.normal([3, 5]))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def __call__(self, names):
        return tf.gather(self.vectors, tf.maximum(table.lookup(names), 0))


colours = Colours()
print(colours(tf.constant(["red", "blue"])).shape)
folder = tempfile.mkdtemp()
tf.saved_model.save(colours, folder)
