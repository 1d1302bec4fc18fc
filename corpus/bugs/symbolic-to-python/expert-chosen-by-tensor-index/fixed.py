import tensorflow as tf


class Mixture(tf.Module):
    def __init__(self, count, width):
        super().__init__()
        self.gate = tf.Variable(tf.random.normal([width, count]))
        self.experts = [tf.Variable(tf.random.normal([width, width])) for _ in range(count)]

    @tf.function
    def __call__(self, token):
        best = tf.argmax(tf.linalg.matvec(self.gate, token, transpose_a=True), output_type=tf.int32)
        return tf.linalg.matvec(tf.gather(tf.stack(self.experts), best), token)


mixture = Mixture(4, 5)
print(mixture(tf.random.normal([5])).shape)
