import numpy as np


class KalmanFilter:
    """Position and speed in the plane, of which only the position is measured."""

    def __init__(self, dt, process_noise, measurement_noise):
        self.F = np.array([[1, 0, dt, 0],
                           [0, 1, 0, dt],
                           [0, 0, 1, 0],
                           [0, 0, 0, 1]], dtype=float)
        self.H = np.array([[1, 0, 0, 0],
                           [0, 1, 0, 0]], dtype=float)
        self.Q = process_noise * np.eye(4)
        self.R = measurement_noise * np.eye(2)
        self.x = np.zeros((4, 1))
        self.P = 100.0 * np.eye(4)

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q
        return self.x[:2].ravel()

    def update(self, z):
        z = np.reshape(z, (2, 1))
        innovation = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ innovation
        self.P = (np.eye(4) - K @ self.H) @ self.P
        return self.x[:2].ravel()


def walk(steps, rng):
    time = np.arange(steps) * 0.1
    truth = np.stack([time, 0.5 * time ** 2], axis=1)
    return truth, truth + rng.normal(scale=0.2, size=truth.shape)


truth, measured = walk(60, np.random.default_rng(1))
tracker = KalmanFilter(dt=0.1, process_noise=1e-3, measurement_noise=0.04)
errors = []
for point, z in zip(truth, measured):
    tracker.predict()
    estimate = tracker.update(z)
    errors.append(np.linalg.norm(estimate - point))
print("mean error", np.mean(errors))
