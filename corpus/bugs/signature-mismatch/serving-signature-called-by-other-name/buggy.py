import tempfile

import tensorflow as tf


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.5], [-1.0], [2.0]])

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="features")])
    def serve(self, features):
        return {"score": tf.sigmoid(features @ self.w)}


folder = tempfile.mkdtemp()
scorer = Scorer()
tf.saved_model.save(scorer, folder, signatures={"serving_default": scorer.serve})
infer = tf.saved_model.load(folder).signatures["serving_default"]
print(infer(inputs=tf.ones([2, 3]))["score"].numpy())
