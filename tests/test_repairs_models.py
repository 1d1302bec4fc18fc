"""Repairs of models, and of what they are given: the first one is what an author would do."""

from __future__ import annotations

import pytest

from tests.support.promises import edited
from tests.support.repairs import HEAD, MODEL, findings, first_fix


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (MODEL.format(columns=3, inputs=30, units=3), "keras.Input((30,))", "keras.Input((20,))"),
        (
            "model = keras.Sequential([keras.Input((8, 3)), layers.LSTM(4), layers.LSTM(4)])\n",
            "layers.LSTM(4), ",
            "layers.LSTM(4, return_sequences=True), ",
        ),
        (
            "net = keras.Sequential([keras.Input((8, 8, 3)), layers.Flatten()])\nnet.predict(np.zeros((8, 8, 3)))\n",
            "np.zeros((8, 8, 3)))\n",
            "np.zeros((8, 8, 3))[np.newaxis])\n",
        ),
        (
            "data = tf.data.Dataset.from_tensor_slices((np.zeros((9, 4)), np.zeros((9, 1))))\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])\n"
            "model.compile(loss='mse')\nmodel.fit(data)\n",
            "fit(data)",
            "fit(data.batch(32))",
        ),
        (
            "data = tf.data.Dataset.from_tensor_slices((np.zeros((9, 6, 6)), np.zeros(9, int)))\n"
            "model = keras.Sequential([keras.Input((6, 6)), layers.Flatten(), layers.Dense(1)])\n"
            "model.compile(loss='mse')\nmodel.fit(data)\n",
            "fit(data)",
            "fit(data.batch(32))",
        ),
        (
            "maps, table = layers.Conv2D(4, 3)(keras.Input((8, 8, 3))), keras.Input((5,))\n"
            "print(layers.Dense(1)(layers.concatenate([maps, table])))\n",
            "[maps,",
            "[layers.Flatten()(maps),",
        ),
        (
            "def block(x, n, stride):\n    y = layers.Conv2D(n, 3, strides=stride, padding='same')(x)\n"
            "    return layers.add([y, layers.Conv2D(n, 1, strides=1)(x)])\n\n\n"
            "print(block(block(keras.Input((8, 8, 3)), 3, 1), 6, 2))\n",
            "strides=1",
            "strides=stride",
        ),
        (
            "model = keras.Sequential([keras.Input((9, 9, 3)), layers.Flatten(), layers.Dense(2)])\n"
            "small = tf.image.resize(tf.ones([30, 40, 3]), (7, 7))\nmodel.predict(small[tf.newaxis])\n",
            "(7, 7)",
            "(9, 9)",
        ),
        (
            "side, part = 72, 6\nparts = side // part\nx = layers.Reshape((144, 4))(keras.Input((24, 24)))\n"
            "print(x + layers.Embedding(parts, 4)(tf.range(parts)))\n",
            "side // part",
            "(side // part) ** 2",
        ),
        (
            "a = layers.Conv2D(4, 3, strides=2, padding='same')(keras.Input((8, 8, 3)))\n"
            "b = layers.Conv2D(8, 3, strides=2, padding='same')(a)\nx = layers.UpSampling2D(2)(b)\n"
            "print(layers.concatenate([x, b]))\n",
            "[x, b]",
            "[x, a]",
        ),
        ("picture = np.ones((9, 9, 1))\nprint(layers.Conv2D(4, 3)(picture[..., None]))\n", "[..., None]", "[None]"),
        (
            "picture = np.ones((9, 9, 1))\nprint(layers.Conv2D(4, 3)(np.expand_dims(picture, axis=-1)))\n",
            "axis=-1",
            "axis=0",
        ),
        (
            "from tensorflow.keras.layers import Conv1D, Dense, GlobalAveragePooling1D\n"
            "for _ in range(3):\n    model = keras.Sequential([keras.Input((9, 1))])\n    model.add(Conv1D(4, 3))\n"
            "    model.add(Dense(3, activation='softmax'))\n    model.compile(loss='categorical_crossentropy')\n"
            "    model.fit(np.zeros((8, 9, 1)), np.zeros((8, 3)))\n",
            "    model.add(Dense(",
            "    model.add(GlobalAveragePooling1D())\n    model.add(Dense(",
        ),
        (
            "model = keras.Sequential([keras.Input((5, 8, 8, 3))])\n"
            "model.add(layers.TimeDistributed(layers.Conv2D(4, 3)))\nmodel.add(layers.LSTM(6))\n",
            "model.add(layers.LSTM(",
            "model.add(layers.TimeDistributed(layers.Flatten()))\nmodel.add(layers.LSTM(",
        ),
        (
            "x = keras.Input((20,))\ncode = layers.Dense(4)(x)\n"
            "whole = keras.Model(x, layers.Dense(20)(layers.Dense(9)(code)))\nlast = whole.layers[-1]\n"
            "given = keras.Input((4,))\nkeras.Model(given, last(given))\n",
            "last(given)",
            "last(whole.layers[-2](given))",
        ),
        (
            "scores, steps = keras.Input((1, 7)), keras.Input((7, 5))\nweigh = layers.Dot(axes=1)\n"
            "print(weigh([scores, steps]))\n",
            "axes=1",
            "axes=(2, 1)",
        ),
        (
            "steps = layers.CuDNNLSTM(3)\n\n\nclass Net(keras.Model):\n"
            "    def __init__(self):\n        super().__init__()\n"
            "        self.maps = layers.Conv2D(4, 3)\n\n    def call(self, x):\n        return self.maps(x)\n\n\n"
            "net = Net()\nnet.build(input_shape=(8, 8, 3))\n",
            "(8, 8, 3)",
            "(None, 8, 8, 3)",
        ),
        (
            "def rows():\n    while True:\n        yield np.concatenate((np.zeros(3), np.ones(2))), np.ones(1)\n\n\n"
            "model = keras.Sequential([keras.Input((5,)), layers.Dense(1)])\nmodel.compile(loss='mse')\n"
            "model.fit(rows(), steps_per_epoch=3)\n",
            "np.ones(2))), np.ones(1)",
            "np.ones(2)))[np.newaxis], np.ones(1)[np.newaxis]",
        ),
        (
            "grey = tf.ones([28, 28])\nprint(tf.image.grayscale_to_rgb(grey))\n",
            "rgb(grey)",
            "rgb(grey[..., tf.newaxis])",
        ),
        (
            "embed, cell = layers.Embedding(9, 4), layers.GRU(4)\nout = tf.zeros([1, 1], tf.int32)\n"
            "for _ in range(12):\n    word = tf.argmax(cell(embed(out)), axis=-1, output_type=tf.int32)\n"
            "    out = tf.concat([out, word], axis=-1)\n",
            "[out, word]",
            "[out, word[..., tf.newaxis]]",
        ),
        (
            "units = 8\nmemory = layers.LSTM(units * 2, return_state=True)\n"
            "h, c = keras.Input(shape=(units,)), keras.Input(shape=(units,))\n"
            "memory(keras.Input((5, 3)), initial_state=[h, c])\n",
            "keras.Input(shape=(units,)), keras.Input(shape=(units,))",
            "keras.Input(shape=(units * 2,)), keras.Input(shape=(units * 2,))",
        ),
        (
            "age, rest = keras.Input(shape=()), keras.Input(shape=(4,))\nprint(layers.concatenate([age, rest]))\n",
            "shape=()",
            "shape=(1,)",
        ),
        (
            "from tensorflow.keras.preprocessing import image\n"
            "grey = image.img_to_array(image.load_img('8.png', target_size=(28, 28)))\n"
            "print(grey.reshape(1, 28, 28, 1))\n",
            "target_size=(28, 28)",
            'target_size=(28, 28), color_mode="grayscale"',
        ),
        (
            "pairs, same = np.ones((30, 2, 5)), np.ones(30)\na, b = keras.Input((5,)), keras.Input((5,))\n"
            "model = keras.Model([a, b], layers.Dense(1)(layers.concatenate([a, b])))\n"
            "model.compile(loss='mse')\nmodel.fit([pairs[0], pairs[1]], same)\n",
            "pairs[0], pairs[1]",
            "pairs[:, 0], pairs[:, 1]",
        ),
        (
            "labels = np.zeros(40, int)\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(3, activation='softmax')])\n"
            "model.compile(loss='categorical_crossentropy')\nmodel.fit(np.zeros((40, 4)), labels)\n",
            "'categorical",
            "'sparse_categorical",
        ),
        (
            "x = tf.ones([6, 9, 8])\nseen = x[..., 0] > 0\n"
            "layers.MultiHeadAttention(2, 4)(x, x, attention_mask=seen)\n",
            "=seen)",
            "=seen[:, None, :])",
        ),
        ("layers.Reshape((9, 24))(keras.Input((3, 3, 32)))\n", "24", "32"),
        ("x = keras.Input((4,))\nh = layers.Dense(3)\nlayers.Dense(2)(h)\n", "Dense(3)", "Dense(3)(x)"),
        ("x = layers.Flatten(keras.Input((4, 4)))\nlayers.Dense(2)(x)\n", "(keras.", "()(keras."),
        (
            "from sklearn.model_selection import train_test_split\nfrom sklearn.linear_model import Ridge\n"
            "a, b, c, d = train_test_split(np.ones((50, 3)), np.ones(50))\nRidge().fit(a, b)\n",
            "a, b, c, d",
            "a, c, b, d",
        ),
        (
            "images = np.zeros((40, 28, 28))\nflat = images.reshape(40, -1)\n"
            "model = keras.Sequential([keras.Input((28, 28, 1)), layers.Flatten(), layers.Dense(1)])\n"
            "model.predict(flat)\n",
            "predict(flat)",
            "predict(flat.reshape(-1, 28, 28, 1))",
        ),
        (
            "x, y = np.zeros((50, 4)), np.zeros(50)\n"
            "x_train, x_test, y_train, y_test = x[:40], x[40:], y[:40], y[40:]\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])\n"
            "model.compile(loss='mse')\nmodel.evaluate(x_test, y)\n",
            "(x_test, y)",
            "(x_test, y_test)",
        ),
        (
            "start = keras.Input((96, 96, 3))\nnet = keras.Model(start, layers.Flatten()(start))\nsize = 64\n"
            "net.predict(np.zeros((8, size, size, 3)))\n",
            "keras.Input((96, 96, 3))",
            "keras.Input((64, 64, 3))",
        ),
        (
            "from sklearn.decomposition import PCA\nfrom sklearn.svm import SVC\n"
            "x, y, fresh = np.random.rand(90, 30), np.zeros(90), np.random.rand(5, 30)\n"
            "reduction = PCA(4).fit(x)\nmodel = SVC().fit(reduction.transform(x), y)\nprint(model.predict(fresh))\n",
            "predict(fresh)",
            "predict(reduction.transform(fresh))",
        ),
        (
            "_ = layers.Conv2D(4, 3)\nk = tf.Variable(tf.random.truncated_normal([5, 5, 8, 3]))\n"
            "print(tf.nn.conv2d(tf.ones([2, 9, 9, 3]), k, 1, 'SAME'))\n",
            "8, 3])",
            "3, 8])",
        ),
        (
            "m = keras.Sequential([keras.Input((5, 8, 8, 3)), layers.Flatten(), layers.LSTM(4)])\n",
            "layers.Flatten()",
            "layers.TimeDistributed(layers.Flatten())",
        ),
        (
            "x = keras.Input((101, 101, 3))\nh = layers.Conv2D(8, 3, padding='same')(x)\n"
            "layers.concatenate([layers.UpSampling2D()(layers.MaxPooling2D()(h)), h])\n",
            "(101, 101, 3)",
            "(100, 100, 3)",
        ),
        (
            "rows = np.ones((30, 20, 3))\n"
            "model = keras.Sequential([layers.LSTM(4, input_shape=(rows.shape[1], 1))])\nmodel.predict(rows)\n",
            "rows.shape[1], 1)",
            "rows.shape[1], rows.shape[2])",
        ),
        (
            "a, b = keras.Input((20, 32)), keras.Input((30, 32))\nprint(layers.Dot(axes=1)([a, b]))\n",
            "axes=1",
            "axes=2",
        ),
        (
            "LATENT = 100\nnet = keras.Sequential([keras.Input((LATENT,)), layers.Dense(4)])\n"
            "print(net(tf.random.normal((12, 10))))\n",
            "(12, 10)",
            "(12, LATENT)",
        ),
        (
            "def block(x, width):\n    y = layers.Conv2D(width, 3, padding='same')(x)\n"
            "    return layers.Add()([x, y])\n\n\n"
            "block(block(keras.Input((8, 8, 3)), 4), 6)\n",
            "Add()([x, y])",
            'Add()([layers.Conv2D(width, 1, padding="same")(x), y])',
        ),
        (
            "pictures = np.ones((16, 3, 32, 40))\n"
            "model = keras.Sequential([keras.Input((32, 40, 3)), layers.Conv2D(8, 3)])\n"
            "model.predict(pictures)\n",
            "predict(pictures)",
            "predict(np.transpose(pictures, (0, 2, 3, 1)))",
        ),
        (
            "net = keras.Sequential([keras.Input((8, 8, 1)), layers.Conv2D(2, 3), layers.Flatten()])\n"
            "digits = np.zeros((40, 8, 8, 1))\ndigit = digits[7]\nprint(net.predict(digit))\n",
            "predict(digit)",
            "predict(digit[np.newaxis])",
        ),
        (
            "x = keras.Input((8, 8, 1))\nc1 = layers.Conv2D(4, 3, padding='same')(x)\n"
            "c2 = layers.Conv2D(6, 3, padding='same')(layers.MaxPooling2D()(c1))\n"
            "u1 = layers.UpSampling2D()(c2)\nprint(layers.concatenate([u1, c2]))\n",
            "[u1, c2]",
            "[u1, c1]",
        ),
        (
            "names = ['cat', 'dog', 'fox']\ny = keras.utils.to_categorical(np.zeros(40, int), len(names))\n"
            "model = keras.Sequential([keras.Input((5,)), layers.Dense(4, activation='softmax')])\n"
            "model.compile(loss='categorical_crossentropy')\nmodel.fit(np.zeros((40, 5)), y)\n",
            "Dense(4",
            "Dense(3",
        ),
        (
            "chances, actions = tf.nn.sigmoid(tf.ones([9, 5])), np.random.randint(0, 5, 9)\nprint(chances * actions)\n",
            "chances * actions",
            "chances * tf.one_hot(actions, 5)",
        ),
        (
            "def loss(chances, kinds):\n    chances = tf.clip_by_value(chances, 1e-9, 1.0)\n"
            "    return -tf.reduce_sum(tf.cast(kinds, tf.float32) * tf.math.log(chances), 1)\n\n\n"
            "print(loss(tf.nn.softmax(tf.ones([9, 5])), np.zeros(9, 'uint8')))\n",
            "tf.cast(kinds, tf.float32)",
            "tf.one_hot(kinds, 5)",
        ),
        (
            "net = keras.Sequential([keras.Input(shape=(1, 4)), layers.Dense(2)])\nstate = np.zeros(4)\n"
            "goal = net.predict(state.reshape(1, 4))\ngoal[0][1] = 3.0\nnet.compile(loss='mse')\n"
            "net.fit(state.reshape(1, 4), goal)\n",
            "shape=(1, 4)",
            "shape=(4,)",
        ),
        (
            "def overlap(kinds, chances):\n    shared = tf.reduce_sum(kinds * chances, axis=[1, 2])\n"
            "    return shared / (tf.reduce_sum(kinds, axis=[1, 2]) + tf.reduce_sum(chances, axis=[1, 2]))\n\n\n"
            "maps = layers.Conv2D(4, 1, activation='softmax')(np.ones((2, 8, 8, 3)))\n"
            "print(overlap(np.zeros((2, 8, 8), int).astype('float32'), maps))\n",
            "    shared =",
            "    kinds = tf.one_hot(tf.cast(kinds, tf.int32), 4)\n    shared =",
        ),
        (
            "def layer(x, units, before):\n    w = tf.Variable(tf.ones([before, units]))\n"
            "    return x @ w + tf.Variable(tf.zeros([before]))\n\n\n"
            "h = layer(tf.ones([3, 5]), 6, 5)\nprint(layer(h, 8, 6))\n",
            "zeros([before])",
            "zeros([units])",
        ),
        (
            "from tensorflow.keras.preprocessing.image import ImageDataGenerator\npicture = np.ones((64, 64, 3))\n"
            "print(next(ImageDataGenerator().flow(picture, batch_size=1)))\n",
            "flow(picture,",
            "flow(np.expand_dims(picture, 0),",
        ),
        (
            "x = keras.Input((28, 28, 1))\ny = layers.MaxPooling2D(4)(layers.Conv2D(4, 3, padding='same')(x))\n"
            "y = layers.MaxPooling2D(2, padding='same')(y)\ny = layers.UpSampling2D(8)(y)\n"
            "y = layers.Conv2D(1, 5, padding='same')(y)\nnet = keras.Model(x, y)\nnet.compile(loss='mse')\n"
            "net.fit(np.ones((6, 28, 28, 1)), np.ones((6, 28, 28, 1)))\n",
            "(1, 5, padding='same')",
            "(1, 5)",
        ),
        (
            "x = keras.Input((8,))\nnet = keras.Model(x, [layers.Dense(1)(x), layers.Dense(1)(x)])\n"
            "net.compile(loss=['mse', 'mse'])\ny = np.ones((40, 2))\nnet.fit(np.ones((40, 8)), y)\n",
            "np.ones((40, 8)), y)",
            "np.ones((40, 8)), [y[:, 0], y[:, 1]])",
        ),
        (
            "steps, width = 24, 3\nnet = keras.Sequential([keras.Input((5,)), layers.Dense(steps), "
            "layers.Reshape((steps, width))])\n",
            "Dense(steps)",
            "Dense(steps * width)",
        ),
        (
            "x = np.array([[1, 2, 3], [4, 5], [6]])\nprint(keras.Sequential([layers.Embedding(9, 2)])(x))\n",
            "np.array([[1, 2, 3], [4, 5], [6]])",
            "keras.utils.pad_sequences([[1, 2, 3], [4, 5], [6]])",
        ),
        (
            "net = keras.Sequential([keras.Input((5,)), layers.Dense(1)])\nnet.compile(loss='mse')\n\n\n"
            "def pairs():\n    while True:\n        yield np.ones((1, 5)), 1\n\n\n"
            "net.fit(pairs(), steps_per_epoch=3)\n",
            "(1, 5)), 1",
            "(1, 5)), np.array([1])",
        ),
        (
            "words = ['cat', 'dog', 'cow']\n"
            "x = layers.StringLookup(vocabulary=words)(keras.Input((1,), dtype='string'))\n"
            "print(layers.Embedding(len(words), 8)(x))\n",
            "len(words)",
            "len(words) + 1",
        ),
        (
            "x = keras.Input((None, 4))\nouts, state = layers.GRU(6, return_sequences=True, return_state=True)(x)\n"
            "print(layers.GRU(6)(keras.Input((None, 5)), initial_state=[outs, state]))\n",
            "[outs, state]",
            "[state]",
        ),
        (
            "net = keras.Sequential([keras.Input((8, 8, 3)), layers.Conv2D(4, 3), layers.GlobalMaxPooling2D()])\n"
            "head = keras.Sequential()\nhead.add(net)\nhead.add(layers.Conv2D(6, 3))\n",
            ", layers.GlobalMaxPooling2D()",
            "",
        ),
        (
            "a, b = keras.Input((1,)), keras.Input((1,))\nu, v = layers.Embedding(9, 4)(a), layers.Embedding(7, 4)(b)\n"
            "net = keras.Model([a, b], layers.Dot(axes=1)([u, v]))\nnet.compile(loss='mse')\n"
            "net.fit([np.zeros((50, 1)), np.zeros((50, 1))], np.ones(50))\n",
            "[u, v]",
            "[u[:, 0], v[:, 0]]",
        ),
        (
            "batch_size = 64\n\n\n@tf.function\ndef step(pictures):\n"
            "    kinds = tf.zeros((batch_size, 1))\n"
            "    return keras.losses.binary_crossentropy(kinds, tf.sigmoid(pictures))\n\n\n"
            "for pictures in tf.data.Dataset.from_tensor_slices(np.ones((200, 1), 'float32')).batch(batch_size):\n"
            "    step(pictures)\n",
            "    kinds = tf",
            "    batch_size = tf.shape(pictures)[0]\n    kinds = tf",
        ),
        (
            "def pairs():\n    yield np.ones((3, 2)), 1\n\n\ndata = tf.data.Dataset.from_generator(\n"
            "    pairs, output_types=(tf.float32, tf.int64), output_shapes=([None, 2], []))\n"
            "data = data.padded_batch(8, padded_shapes=([None, 2], [1]))\n",
            "[1]",
            "[]",
        ),
        (
            "net = keras.Sequential([keras.Input((8, 6, 3)), layers.Conv2D(1, 3, padding='same')])\n"
            "net.compile(loss='mse')\nx, y, w = np.ones((9, 8, 6, 3)), np.ones((9, 8, 6, 1)), np.ones((9, 48))\n"
            "net.fit(x, y, sample_weight=w)\n",
            "sample_weight=w",
            "sample_weight=w.reshape(-1, 8, 6)",
        ),
    ],
)
def test_first_fix(body: str, before: str, after: str) -> None:
    assert body.count(before) == 1
    assert first_fix(body) == body.replace(before, after)


def test_a_last_layer_gives_a_score_for_each_class() -> None:
    body = """labels = np.zeros((40, 3))
model = keras.Sequential([keras.Input((4,)), layers.Dense(1, activation="sigmoid")])
model.compile(loss="categorical_crossentropy")
model.fit(np.zeros((40, 4)), labels)
"""
    found = next(each for each in findings(HEAD + body) if each.name == "cross-entropy-mismatch")
    assert edited(found.fix) == HEAD + body.replace('Dense(1, activation="sigmoid")', 'Dense(3, activation="softmax")')


def test_the_maps_of_a_generator_are_scaled_with_its_pictures() -> None:
    text = """picture = keras.Input((32, 32, 3))
judge = keras.Model(picture, layers.Dense(1)(layers.Flatten()(picture)))
x = layers.Dense(16 * 7 * 7)(keras.Input((10,)))
x = layers.Reshape((7, 7, 16))(x)
x = layers.Conv2D(3, 3, padding="same")(layers.UpSampling2D(4)(x))
print(judge(x))
"""
    assert first_fix(text) == text.replace("7 * 7", "8 * 8").replace("(7, 7", "(8, 8")


def test_every_use_of_a_name_is_mended_where_it_is_bound() -> None:
    body = (
        "rows = np.zeros((60, 1, 28))\n"
        "model = keras.Sequential([keras.Input((28,)), layers.Dense(1)])\n"
        "model.compile(loss='mse')\n"
        "model.fit(rows, np.zeros((60, 1)))\n"
        "model.predict(rows)\n"
    )
    line = "rows = np.zeros((60, 1, 28))\n"
    assert first_fix(body) == body.replace(line, f"{line}rows = np.squeeze(rows, axis=1)\n")
