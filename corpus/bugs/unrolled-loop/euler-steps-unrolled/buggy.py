import tensorflow as tf

STEPS = 400


@tf.function
def pendulum(angle, speed, dt):
    for _ in range(STEPS):
        speed = speed - dt * (9.81 * tf.sin(angle) + 0.1 * speed)
        angle = angle + dt * speed
    return angle, speed


angle, speed = pendulum(tf.constant(1.0), tf.constant(0.0), tf.constant(0.01))
print(float(angle), float(speed))
