import tensorflow as tf


class Standardizer(tf.Module):
    def __init__(self, data):
        super().__init__()
        self.mean = tf.Variable(tf.reduce_mean(data, axis=0))
        self.deviation = tf.Variable(tf.math.reduce_std(data, axis=0))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
    def transform(self, rows):
        return (rows - self.mean) / self.deviation


standardizer = Standardizer(tf.random.normal([30, 4]))
print(standardizer.transform(tf.random.normal([2, 4])).shape)
