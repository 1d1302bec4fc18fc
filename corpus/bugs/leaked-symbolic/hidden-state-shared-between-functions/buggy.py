import tensorflow as tf


class Kalman(tf.Module):
    def __init__(self):
        super().__init__()
        self.mean = tf.zeros([2])
        self.covariance = tf.eye(2)

    @tf.function
    def predict(self, motion, noise):
        self.mean = self.mean + motion
        self.covariance = self.covariance + noise
        return self.mean

    @tf.function
    def correct(self, measured, noise):
        gain = self.covariance @ tf.linalg.inv(self.covariance + noise)
        self.mean = self.mean + tf.linalg.matvec(gain, measured - self.mean)
        return self.mean


kalman = Kalman()
kalman.predict(tf.constant([1.0, 0.5]), 0.1 * tf.eye(2))
print(kalman.correct(tf.constant([1.2, 0.4]), 0.2 * tf.eye(2)).numpy())
