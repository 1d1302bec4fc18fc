from tensorflow.keras.layers import (
    Conv1D,
    Dense,
    Embedding,
    GlobalMaxPooling1D,
    Input,
    add,
    concatenate,
)
from tensorflow.keras.models import Model

MAXLEN = 80


def text_branch(name, filters, window):
    tokens = Input((MAXLEN,), name=name)
    vectors = Embedding(3000, 32, name=f"{name}_vectors")(tokens)
    maps = Conv1D(filters, window, activation="relu", name=f"{name}_conv")(vectors)
    return tokens, GlobalMaxPooling1D()(maps)


title, title_features = text_branch("title", filters=64, window=2)
body, body_features = text_branch("body", filters=128, window=5)

joint = concatenate([title_features, body_features])
hidden = Dense(32, activation="relu")(joint)
model = Model(inputs=[title, body], outputs=Dense(1, activation="sigmoid")(hidden))
model.compile("adam", "binary_crossentropy")
print(model.count_params())
