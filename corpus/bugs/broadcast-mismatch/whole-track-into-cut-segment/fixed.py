import numpy as np

T = 200
DIMS = 1


class Walks:
    """Tracks of particles that change the way they move at some time."""

    MODELS = ["brownian", "ballistic"]

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def brownian(self, length, dimension):
        return np.cumsum(self.rng.normal(size=(length, dimension)), axis=0)

    def ballistic(self, length, dimension):
        velocity = self.rng.normal(size=(1, dimension))
        return np.arange(length)[:, None] * velocity

    def create(self, name, length, dimension):
        return getattr(self, name)(length, dimension)


def create_segmented(walks, first, second, change, dimension):
    track = np.zeros((T, dimension))
    before = walks.create(first, T, dimension)
    after = walks.create(second, T, dimension)
    if dimension == 1:
        track[:change, 0] = before[:change, 0]
        track[change:, 0] = after[:T - change, 0] + before[change, 0]
    else:
        track[:change] = before[:change]
        track[change:] = after[:T - change] + before[change]
    return track


walks = Walks()
tracks = []
for i in range(5):
    track = create_segmented(walks, "brownian", "ballistic", change=55 + 5 * i, dimension=DIMS)
    tracks.append(track)
tracks = np.stack(tracks)
speeds = np.abs(np.diff(tracks, axis=1)).mean(axis=(1, 2))
print(tracks.shape, speeds)
