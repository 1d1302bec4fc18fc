"""The slowdown of programs under `shapecheck run`: `python -m benchmarks.overhead`.

Each program reports the processor time of its own work, without imports, run alone and run instrumented.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

TIMED = """
import time
def main():
{body}
main()
began = time.process_time()
for _ in range(REPEATS):
    main()
print(time.process_time() - began)
"""
PROGRAMS = {
    "NumPy: a network by hand": (
        """
import numpy as np
rng = np.random.default_rng(0)
x, y = rng.normal(size=(128, 784)), rng.normal(size=(128, 10))
w1, w2 = rng.normal(size=(784, 64)), rng.normal(size=(64, 10))
REPEATS = 60
""",
        """
    global w1, w2
    hidden = np.maximum(x @ w1, 0)
    error = hidden @ w2 - y
    grad2 = hidden.T @ error / len(x)
    grad1 = x.T @ ((error @ w2.T) * (hidden > 0)) / len(x)
    w1, w2 = w1 - 0.001 * grad1, w2 - 0.001 * grad2
""",
    ),
    "NumPy: small arrays in a loop": (
        "import numpy as np\npoints, centres = np.random.rand(500, 3), np.random.rand(4, 3)\nREPEATS = 10\n",
        """
    labels = []
    for point in points:
        distances = np.sqrt(((centres - point) ** 2).sum(axis=1))
        labels.append(np.argmin(distances))
    return np.array(labels)
""",
    ),
    "TensorFlow: eager": (
        """
import tensorflow as tf
x, w = tf.random.normal([64, 100]), tf.Variable(tf.random.normal([100, 10]))
REPEATS = 200
""",
        """
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.nn.relu(x @ w)))
    w.assign_sub(0.01 * tape.gradient(loss, w))
""",
    ),
    "Keras: training": (
        """
import numpy as np
from tensorflow import keras
x, y = np.random.rand(512, 64), np.random.randint(0, 10, 512)
model = keras.Sequential([keras.layers.Dense(128, activation="relu"), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
REPEATS = 3
""",
        "    model.fit(x, y, epochs=3, batch_size=32, verbose=0)\n",
    ),
    "Python: numbers only": (
        "REPEATS = 20\n",
        """
    table = [0] * 100
    for at in range(5000):
        table[at % 100] = table[(at * 7) % 100] + at * 2 - 1
    return sum(table)
""",
    ),
}


def seconds(command: list[str]) -> float:
    """Return the program's own measure, which is the first number that it prints; the minimum of three runs."""
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(3)]
    return min(float(run.stdout.split()[0]) for run in runs)


def main() -> None:
    width = max(map(len, PROGRAMS))
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "program.py")
        for name, (setup, body) in PROGRAMS.items():
            script.write_text(setup + TIMED.format(body=body))
            alone = seconds([sys.executable, str(script)])
            instrumented = seconds([sys.executable, "-m", "shapecheck", "run", str(script)])
            print(f"{name:{width}} {alone:7.3f} s alone {instrumented:7.3f} s instrumented {instrumented / alone:6.2f}")


if __name__ == "__main__":
    main()
