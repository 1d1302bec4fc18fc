from tensorflow.keras.layers import Conv1D, Dense, Embedding, Flatten, Input, MaxPooling1D
from tensorflow.keras.models import Model

sequence_length = 100
filters = 32
filter_sizes = [3, 4, 5]

tokens = Input(shape=(sequence_length,), dtype="int32")
x = Embedding(5000, 50, input_length=sequence_length)(tokens)
for size in filter_sizes:
    x = Conv1D(filters, size, activation="relu")(x)
    x = MaxPooling1D(2)(x)
x = Flatten()(x)
x = Dense(20, activation="relu")(x)
label = Dense(4, activation="softmax")(x)

model = Model(tokens, label)
model.compile(loss="categorical_crossentropy", optimizer="rmsprop", metrics=["acc"])
print(model.output_shape)
