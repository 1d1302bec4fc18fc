import numpy as np

rng = np.random.default_rng(3)


def readings(count):
    """Return the readings of a scale and the weights that lay on it."""
    weights = [round(float(w), 1) for w in rng.uniform(1.0, 9.0, size=count)]
    shown = [weight * 1.02 + 0.1 for weight in weights]
    return shown, weights


shown, weights = readings(12)
slope, offset = np.polyfit(weights, shown, 1)
corrected = (shown - offset) / slope
error = max(shown) - max(weights)
residuals = np.array(shown) - weights
print(corrected.shape, error, np.abs(residuals).max())
