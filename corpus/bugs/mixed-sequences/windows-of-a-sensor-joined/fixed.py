import numpy as np

rng = np.random.default_rng(5)


class Recorder:
    def __init__(self, channels, step):
        self.channels, self.step = channels, step

    def windows(self, signal):
        """Cut a signal of all channels into windows that do not overlap."""
        count = len(signal) // self.step
        kept = signal[: count * self.step]
        return kept.reshape((count, self.step) + kept.shape[1:])


recorder = Recorder(channels=3, step=50)
windows = recorder.windows(rng.normal(size=(1020, 3)))
energy = np.square(windows).mean(axis=1)
print(energy.shape)
