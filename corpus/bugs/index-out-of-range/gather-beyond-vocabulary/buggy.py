import tensorflow as tf

SPECIAL = ["<pad>", "<start>", "<end>"]
WORDS = 500

table = tf.Variable(tf.random.normal([WORDS + len(SPECIAL), 24]))

start_id = WORDS + 1
end_id = WORDS + 3
sentence = tf.constant([start_id, 17, 230, 4, end_id])
vectors = tf.gather(table, sentence)

similarity = tf.matmul(vectors, vectors, transpose_b=True)
norms = tf.norm(vectors, axis=1)
similarity /= norms[:, tf.newaxis] * norms[tf.newaxis, :]
print(similarity.shape, float(tf.linalg.trace(similarity)))
