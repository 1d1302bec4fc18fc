import tempfile

import tensorflow as tf


class Tagger(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.normal([10, 4]))

    @tf.function
    def tag(self, ids):
        return tf.argmax(tf.gather(self.table, ids), axis=-1)


tagger = Tagger()
tf.saved_model.save(tagger, tempfile.mkdtemp(), signatures=tagger.tag)
print("saved")
