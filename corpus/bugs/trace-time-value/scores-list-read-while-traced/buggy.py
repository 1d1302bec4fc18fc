import tensorflow as tf

recent = [1.0]


@tf.function
def relative(score):
    baseline = sum(recent) / len(recent)
    return score - score + baseline


seen = []
for score in (1.0, 2.0, 3.0, 4.0):
    seen.append(float(relative(tf.constant(score))))
    recent.append(score)
print(seen)
