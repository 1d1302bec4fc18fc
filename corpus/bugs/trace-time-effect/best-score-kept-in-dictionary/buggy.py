import tensorflow as tf

stats = {"episodes": 0, "rewards": []}


@tf.function
def episode_return(rewards, discount):
    powers = tf.pow(discount, tf.range(tf.cast(tf.size(rewards), tf.float32)))
    total = tf.reduce_sum(powers * rewards)
    stats["episodes"] += 1
    return total


for seed in range(5):
    total = episode_return(tf.random.uniform([10], seed=seed), tf.constant(0.9))
    stats["rewards"].append(float(total))
print(stats["episodes"], sum(stats["rewards"]) / max(1, stats["episodes"]) < 10)
