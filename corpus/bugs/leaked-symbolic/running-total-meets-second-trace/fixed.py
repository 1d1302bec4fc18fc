import tensorflow as tf


class RunningMean(tf.Module):
    def __init__(self):
        super().__init__()
        self.total = tf.Variable(0.0)
        self.count = tf.Variable(0.0)

    @tf.function
    def update(self, values):
        self.total.assign_add(tf.reduce_sum(values))
        self.count.assign_add(tf.cast(tf.size(values), tf.float32))
        return self.total / self.count


mean = RunningMean()
mean.update(tf.constant([1.0, 2.0, 3.0]))
print(float(mean.update(tf.constant([4.0, 5.0]))))
