import tensorflow as tf

SPECIES = 3
tf.random.set_seed(0)

petals = tf.random.normal([60, 4])
species = tf.random.uniform([60], maxval=SPECIES, dtype=tf.int32)
targets = species

weights = tf.Variable(tf.random.normal([4, SPECIES], stddev=0.1))
offset = tf.Variable(tf.zeros([SPECIES]))

for epoch in range(5):
    with tf.GradientTape() as tape:
        logits = petals @ weights + offset
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
        loss = tf.reduce_mean(losses)
    for variable, gradient in zip([weights, offset], tape.gradient(loss, [weights, offset])):
        variable.assign_sub(0.1 * gradient)
    print(epoch, loss.numpy())
