from keras import Input, Model, layers

SAMPLES = 100


def tcn(dilations, padding="valid"):
    signal = Input((SAMPLES, 2))
    x = signal
    for d in dilations:
        x = layers.Conv1D(16, kernel_size=5, dilation_rate=d, padding=padding, name=f"dilation_{d}")(x)
        x = layers.ReLU()(x)
    return Model(signal, layers.Dense(1)(layers.Flatten()(x)))


model = tcn([2 ** k for k in range(5)])
print(model.output_shape)
