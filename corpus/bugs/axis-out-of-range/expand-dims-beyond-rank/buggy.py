import tensorflow as tf


class Spectrum:
    def __init__(self, frame=256, hop=128):
        self.frame, self.hop = frame, hop

    def __call__(self, audio):
        frames = tf.signal.stft(audio, self.frame, self.hop)
        power = tf.math.log(tf.abs(frames) + 1e-6)
        power = tf.reduce_mean(power, axis=1)
        return tf.expand_dims(power, axis=3)


clips = tf.random.normal([4, 2048])
images = Spectrum()(clips)
print(images.shape)
