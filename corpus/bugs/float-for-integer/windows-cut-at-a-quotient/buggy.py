import numpy as np


def windows(signal, width, overlap=0.5):
    step = width * overlap
    count = (len(signal) - width) // step + 1
    made = np.zeros((count, width))
    for row in range(int(count)):
        start = int(row * step)
        made[row] = signal[start:start + width]
    return made * np.hanning(width)


pressure = np.sin(np.arange(4096) / 40.0)
spectra = np.abs(np.fft.rfft(windows(pressure, 256), axis=1))
print("loudest", spectra.mean(axis=0).argmax())
