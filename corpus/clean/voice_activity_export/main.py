"""Voice activity: a module is saved with signatures and loaded again, for clips of any length."""
import tempfile

import numpy as np
import tensorflow as tf


class Detector(tf.Module):
    def __init__(self, width=16):
        super().__init__()
        self.width = width
        self.slope = tf.Variable(4.0)
        self.floor = tf.Variable(0.1)

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32, name="clips")])
    def active(self, clips):
        frames = tf.signal.frame(clips, self.width, self.width // 2, pad_end=True)
        energy = tf.sqrt(tf.reduce_mean(tf.square(frames), axis=-1))
        return {"active": tf.sigmoid(self.slope * (energy - self.floor)), "energy": energy}

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def tune(self, floor):
        self.floor.assign(floor)
        return self.floor.read_value()


def main():
    rng = np.random.default_rng(5)
    detector = Detector()
    detector.tune(tf.constant(0.2))
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(detector, folder, signatures={"serving_default": detector.active})
        loaded = tf.saved_model.load(folder)
        serve = loaded.signatures["serving_default"]
        for rows, length in ((2, 160), (3, 80)):
            clips = rng.normal(scale=0.3, size=(rows, length)).astype("float32")
            found = serve(clips=tf.constant(clips))
            same = detector.active(tf.constant(clips))
            assert np.allclose(found["active"], same["active"], atol=1e-5)
            print(found["energy"].shape, float(tf.reduce_mean(found["active"])))


main()
