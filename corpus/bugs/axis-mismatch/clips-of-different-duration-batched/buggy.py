import numpy as np
import tensorflow as tf

RATE = 8000
FRAME, STEP = 256, 128
COMMANDS = ["up", "down"]
SECONDS = [1.0, 0.5, 0.8, 1.0]


def make_clips():
    clips = []
    for i, seconds in enumerate(SECONDS):
        t = np.arange(int(RATE * seconds)) / RATE
        clips.append(np.sin(2 * np.pi * (200 + 50 * i) * t).astype("float32"))
    return clips


def clip_reader():
    for i, wave in enumerate(make_clips()):
        yield wave, i % len(COMMANDS)


def get_spectrogram(wave, label):
    spectrogram = tf.abs(tf.signal.stft(wave, frame_length=FRAME, frame_step=STEP))
    return spectrogram[..., tf.newaxis], label


signature = (tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.int32))
ds = tf.data.Dataset.from_generator(clip_reader, output_signature=signature)
ds = ds.map(get_spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(4)

mean, count = 0.0, 0
for spectrograms, labels in ds:
    mean += float(tf.reduce_mean(spectrograms))
    count += 1
    print(spectrograms.shape, labels.numpy())
print("mean", mean / count)
