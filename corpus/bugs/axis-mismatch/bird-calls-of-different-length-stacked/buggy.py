import numpy as np
from scipy import signal

RATE = 8000


def call_of(seconds, pitch):
    time = np.arange(int(seconds * RATE)) / RATE
    return np.sin(2 * np.pi * pitch * time)


def picture(sound):
    _, _, power = signal.spectrogram(sound, fs=RATE, nperseg=200, noverlap=100)
    return np.log(power + 1e-9)


calls = [call_of(1.0, 900), call_of(1.5, 1400), call_of(1.0, 2100)]
pictures = [picture(call) for call in calls]
batch = np.stack(pictures)
print(batch.mean(axis=(1, 2)))
