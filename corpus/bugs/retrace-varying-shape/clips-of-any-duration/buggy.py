import numpy as np
import tensorflow as tf

RATE = 4000
MELS = tf.signal.linear_to_mel_weight_matrix(20, 129, RATE, 60.0, 1900.0)


@tf.function
def log_mel(wave):
    spectrum = tf.abs(tf.signal.stft(wave, frame_length=256, frame_step=128, fft_length=256))
    return tf.math.log(tf.matmul(spectrum, MELS) + 1e-6)


def recordings():
    for number, seconds in enumerate((0.5, 0.8, 1.1, 0.65, 0.9, 1.3)):
        t = np.arange(int(RATE * seconds)) / RATE
        yield np.sin(2 * np.pi * (300 + 40 * number) * t).astype("float32")


frames = 0
for wave in recordings():
    frames += log_mel(tf.constant(wave)).shape[0]
print(frames, "frames")
