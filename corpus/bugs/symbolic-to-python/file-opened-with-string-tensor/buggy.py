import pathlib
import tempfile

import tensorflow as tf

folder = pathlib.Path(tempfile.mkdtemp())
for number in range(3):
    (folder / f"{number}.txt").write_text(f"{number}.5 {number}.25")


def read_numbers(path):
    with open(path) as file:
        text = file.read()
    return tf.strings.to_number(tf.strings.split(text))


paths = sorted(str(path) for path in folder.iterdir())
dataset = tf.data.Dataset.from_tensor_slices(paths).map(read_numbers)
print([element.numpy().tolist() for element in dataset])
