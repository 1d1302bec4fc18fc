"""Files with data beside a program: their headers are read, and nothing in them is ever run."""

from __future__ import annotations

import io
import json
import os
import pickle
import struct
import wave
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.findings import Finding, Severity
from shapecheck.models.pandas.csv_files import columns
from shapecheck.project.data_headers import facts
from shapecheck.project.data_headers.npy import Header, header

PROGRAM = """\
import numpy as np
import tensorflow as tf
x = np.load("data/x.npy")
y = tf.matmul(x, tf.zeros([30, 4]))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an array of 20 columns beside a program that needs 30."""
    folder = tmp_path / "project"
    (folder / "data").mkdir(parents=True)
    np.save(folder / "data/x.npy", np.zeros((100, 20), "float32"))
    monkeypatch.chdir(folder)
    return folder


def findings(program: str, path: str = "main.py", **options: object) -> list[Finding]:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text(program)
    return check([path], Config(**options)).findings  # type: ignore[arg-type]


@pytest.mark.usefixtures("project")
def test_columns_of_an_array_beside_the_program_are_known() -> None:
    (found,) = findings(PROGRAM)
    assert (found.name, found.severity) == ("axis-mismatch", Severity.WARNING)
    assert found.message == "tf.matmul: x has 20 columns, tf.zeros([30, 4]) has 30 rows"
    assert found.guards == ("data/x.npy is as found beside the program",)
    assert not findings(PROGRAM.replace("30", "20"))


@pytest.mark.usefixtures("project")
def test_the_path_may_begin_at_the_folder_of_the_program() -> None:
    assert findings(PROGRAM.replace("data/", "../data/"), "scripts/main.py")
    assert findings(PROGRAM, "scripts/main.py"), "run from the project"
    assert not findings(PROGRAM.replace("data/", "../../data/"), "scripts/main.py")


def test_an_array_in_two_places_is_unknown_where_they_differ(project: Path) -> None:
    (project / "scripts/data").mkdir(parents=True)
    np.save(project / "scripts/data/x.npy", np.zeros((9, 20), "float32"))
    assert not findings(PROGRAM, "scripts/main.py")


@pytest.mark.usefixtures("project")
def test_the_number_of_rows_is_left_open() -> None:
    assert not findings(PROGRAM.replace("y = tf.matmul(x, tf.zeros([30, 4]))", "y = x.reshape(60000, 20)"))


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "line",
    [
        "np.save('data/x.npy', np.zeros((3, 30)))",
        "import os; os.chdir('elsewhere')",
        "open('data/x.npy', 'wb')",
        "import shutil; shutil.copy('y.npy', 'data/x.npy')",
        "import subprocess; subprocess.run(['make', 'data'])",
    ],
)
def test_a_program_that_may_change_files_is_not_told_their_sizes(line: str) -> None:
    assert not findings(PROGRAM.replace("x = ", f"{line}\nx = "))


@pytest.mark.usefixtures("project")
def test_modules_of_the_program_may_change_files_as_well() -> None:
    Path("prepare.py").write_text("import numpy as np\nnp.save('data/x.npy', np.zeros((3, 30)))\n")
    assert not findings(f"import prepare\n{PROGRAM}")


@pytest.mark.usefixtures("project")
def test_a_path_that_is_one_of_several_is_unknown() -> None:
    program = PROGRAM.replace('np.load("data/x.npy")', 'np.load("data/x.npy" if tf.random.normal([]) > 0 else "y.npy")')
    assert not findings(program)


def test_links_and_files_outside_the_project_are_not_followed(project: Path) -> None:
    outside = project.parent / "outside"
    (project / "data").rename(outside)
    (project / "data").symlink_to(outside)
    assert not findings(PROGRAM), "the folder is a link"
    (project / "data").unlink()
    (project / "data").mkdir()
    (project / "data/x.npy").symlink_to(outside / "x.npy")
    assert not findings(PROGRAM), "the file is a link"
    assert not findings(PROGRAM.replace("data/", "../outside/"))
    assert not findings(PROGRAM.replace("data/", f"{outside}/"))


def test_results_depend_on_the_header(project: Path) -> None:
    cache = project / "cache"
    for width in (20, 30, 20):
        np.save(project / "data/x.npy", np.zeros((100, width), "float32"))
        for _ in range(2):
            assert len(findings(PROGRAM, cache_dir=cache)) == (width == 20)


class Trap:
    """An object whose unpickling leaves a file behind."""

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("sprung"),)


def test_a_pickle_is_never_loaded(project: Path) -> None:
    trapped = np.empty((2, 20), object)
    trapped[0, 0] = Trap()
    for content in (pickle.dumps(Trap()), saved(trapped)):
        (project / "data/x.npy").write_bytes(content)
        assert not findings(PROGRAM)
        assert not Path("sprung").exists()
    np.load(project / "data/x.npy", allow_pickle=True)
    assert Path("sprung").exists(), "the trap works"


def saved(array: object) -> bytes:
    content = io.BytesIO()
    np.save(content, array)  # type: ignore[arg-type]
    return content.getvalue()


@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int64", "float16", ">f4", "float64", "complex64"])
@pytest.mark.parametrize("sizes", [(), (3,), (3, 0), (2, 3, 4)])
def test_headers_are_read_as_numpy_writes_them(name: str, sizes: tuple[int, ...]) -> None:
    array = np.asfortranarray(np.zeros(sizes, name)).reshape(sizes)
    assert header(saved(array)) == Header(sizes, array.dtype.name)


def test_what_is_no_plain_array_is_unknown() -> None:
    plain = saved(np.zeros((3, 4)))
    records = np.zeros(3, [("a", "f4"), ("b", "i4")])
    for content in (
        b"",
        plain[:20],
        plain[1:],
        saved(records),
        saved(np.array(["a"])),
        plain.replace(b"3, 4", b"-3,4"),
    ):
        assert header(content) is None
    for at in range(len(plain[:128])):
        header(plain[:at] + b"\xff" + plain[at + 1 :])


TABLE = """\
import pandas as pd
import tensorflow as tf
table = pd.read_csv("data/t.csv")
y = tf.matmul(tf.constant(table.values, tf.float32), tf.zeros([4, 2]))
"""


def test_columns_of_a_table_beside_the_program_are_known(project: Path) -> None:
    (project / "data/t.csv").write_text("a,b,c\n1,2,3\n4,5,6\n")
    (found,) = findings(TABLE)
    assert (found.name, found.severity) == ("axis-mismatch", Severity.WARNING)
    assert "3 columns" in found.message
    assert not findings(TABLE.replace("[4, 2]", "[3, 2]"))
    assert not findings(TABLE.replace('csv")', 'csv", index_col=0)').replace("[4, 2]", "[2, 2]"))
    assert findings(TABLE.replace('csv")', 'csv", index_col=0)').replace("[4, 2]", "[3, 2]"))
    assert not findings(TABLE.replace('csv")', 'csv", header=None)'))
    assert not findings(TABLE.replace('csv")', 'csv", skiprows=2)'))
    assert not findings(TABLE.replace('csv")', 'csv", sep=";")'))
    assert not findings("import pandas as pd\npd.DataFrame({'a': [1]}).to_csv('data/t.csv')\n" + TABLE)


@pytest.mark.parametrize(
    "text",
    ["", "a,b,c", "a,b\n", "a,b\n1,2,3\n", 'a,"b,c"\n1,2\n', "a,a\n1,2\n", "a,\n1,2\n", "\na,b\n1,2\n", "a, b\n1,2\n"],
)
def test_doubtful_tables_are_unknown(text: str) -> None:
    assert columns(text.encode(), ",") is None


def test_columns_that_are_read_and_their_dtype_must_suit_the_table(project: Path) -> None:
    (project / "data/t.csv").write_text("a,b,c\n1,red,\n4,blue,6\n")
    program = "import pandas as pd\ntable = pd.read_csv('data/t.csv')\n"
    for option, said in (
        ("usecols=['a', 'd']", "pd.read_csv: the table has no column 'd', it has 'a', 'b', 'c'"),
        ("dtype='float32'", "pd.read_csv: column 'b' has the text 'red', which is no number"),
        ("dtype=int", "pd.read_csv: column 'b' has the text 'red', which is no number"),
    ):
        (found,) = findings(program.replace(".csv'", f".csv', {option}"))
        assert (found.message, found.severity) == (said, Severity.WARNING)
    for option in ("usecols=['c', 'a']", "dtype=str", "dtype='float32', na_values=['red', 'blue']", "dtype={'a': int}"):
        assert not findings(program.replace(".csv'", f".csv', {option}"))


READING = """\
import numpy as np
x = np.loadtxt("data/t.csv", delimiter=",", skiprows=1)
y = x @ np.zeros((3, 4))
"""


def test_columns_of_a_table_of_numbers_are_known(project: Path) -> None:
    (project / "data/t.csv").write_text("a,b,c\n1,2,3\n4,5,6\n")
    assert not findings(READING)
    for name in ("loadtxt", "genfromtxt"):
        skipped = "skiprows" if name == "loadtxt" else "skip_header"
        (found,) = findings(READING.replace("(3, 4)", "(5, 4)").replace("loadtxt", name).replace("skiprows", skipped))
        assert (found.name, found.severity) == ("axis-mismatch", Severity.WARNING)
        assert found.message.startswith("x @ np.zeros((5, 4)): x has 3 columns")
    assert not findings(
        READING.replace("=1)", "=1, usecols=(0, 2), unpack=True)").replace("x @ ", "x.T @ np.ones((2, 3)) @ ")
    )
    assert not findings(READING.replace("=1)", "=1, max_rows=1)").replace("(3, 4)", "(5, 4)")), "a vector"


def test_texts_are_no_numbers(project: Path) -> None:
    (project / "data/t.csv").write_text("a,b,c\n1,red,3\n4,blue,6\n")
    (found,) = findings(READING)
    assert found.message == "np.loadtxt: the file has the field 'red', which is no number"
    (found,) = findings(READING.replace(", skiprows=1", ""))
    assert found.message == "np.loadtxt: the file has the field 'a', which is no number"
    assert not findings(READING.replace("=1)", "=1, usecols=(0, 2))").replace("(3, 4)", "(2, 4)"))
    assert not findings(READING.replace("=1)", "=1, dtype=str)").replace("y = x @ np.zeros((3, 4))", ""))
    assert not findings(READING.replace("=1)", "=1, converters={1: len})"))
    assert not findings(READING.replace("loadtxt", "genfromtxt").replace("skiprows", "skip_header"))


# Other formats ------------------------------------------------------------------------------------------------------


def png(path: Path) -> None:
    """Write a picture of 30 rows, 40 columns and 3 channels."""
    rows = zlib.compress(b"\0" * 30 * 121)
    parts = (b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def wav(path: Path) -> None:
    """Write a recording of two channels."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(16_000)
        sound.writeframes(bytes(400))


def hdf5(path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        file["part/x"] = np.zeros((5, 20), "float32")


MODEL = {
    "class_name": "Sequential",
    "config": {
        "layers": [
            {"class_name": "InputLayer", "config": {"batch_shape": [None, 20], "name": "input"}},
            {"class_name": "Dense", "config": {"units": 3, "activation": "relu", "name": "dense"}},
        ]
    },
}


def archive(path: Path, name: str, content: str) -> None:
    import zipfile

    with zipfile.ZipFile(path, "w") as file:
        file.writestr(name, content)


FORMATS: dict[str, tuple[Callable[[Path], object], str]] = {  # what writes a file, and what reads 20 columns of it
    "x.npz": (lambda path: np.savez(path, x=np.zeros((5, 20))), "np.load(path)['x']"),
    "y.npz": (lambda path: np.savez_compressed(path, x=np.zeros((5, 20))), "np.load(path)['x']"),
    "x.h5": (hdf5, "h5py.File(path, 'r')['part']['x'][:]"),
    "x.json": (lambda path: path.write_text('{"sizes": [5, 20]}'), "np.zeros(json.load(open(path))['sizes'])"),
    "x.png": (png, "cv2.imread(path)[:, ::2, 0]"),
    "y.png": (png, "tf.io.decode_png(tf.io.read_file(path))[:, ::2, 0]"),
    "x.wav": (wav, "np.tile(wavfile.read(path)[1], (1, 10))"),
    "x.keras": (
        lambda path: archive(path, "config.json", json.dumps(MODEL)),
        "np.tile(keras.models.load_model(path)(np.zeros((5, 20)))[:, :1], (1, 20))",
    ),
}
IMPORTS = """import json
import cv2
import h5py
import keras
import numpy as np
import tensorflow as tf
from scipy.io import wavfile
"""


def reading(name: str, expression: str, columns: int) -> str:
    """Return a program that takes a matrix of a file for one of some columns."""
    return f"{IMPORTS}x = {expression.replace('path', repr('data/' + name))}\ny = x @ np.zeros(({columns}, 4))\n"


@pytest.mark.parametrize("name", FORMATS)
def test_what_headers_say_is_known(project: Path, name: str) -> None:
    write, expression = FORMATS[name]
    write(project / "data" / name)
    (found,) = findings(reading(name, expression, 30))
    assert (found.severity, found.guards) == (Severity.WARNING, (f"data/{name} is as found beside the program",))
    assert not findings(reading(name, expression, 20))
    content = (project / "data" / name).read_bytes()
    for length in range(0, len(content), max(1, len(content) // 40)):
        (project / "data" / name).write_bytes(content[:length])
        facts(str(project / "data" / name))  # may be lost, and is no error
    (project / "data" / name).write_bytes(content[: len(content) // 3])
    assert not findings(reading(name, expression, 20))


@pytest.mark.parametrize("name", [*FORMATS, "x.yaml", "x.parquet", "x.csv", "x.tfrecord"])
def test_a_pickle_in_disguise_is_never_loaded(project: Path, name: str) -> None:
    path = project / "data" / name
    for content in (pickle.dumps(Trap()), b"PK\x03\x04" + pickle.dumps(Trap()), saved(np.array([Trap()], object))):
        path.write_bytes(content)
        facts(str(path))
    np.savez(project / "data/x", x=np.array([Trap()], object))
    facts(str(project / "data/x.npz"))
    (project / "data/x.yaml").write_text("!!python/object/apply:os.mkdir [sprung]")
    facts(str(project / "data/x.yaml"))
    assert not Path("sprung").exists()


RECORD = (  # as TensorFlow writes it: x has 6 floats, n the numbers -3 and 300, t two texts, and "none" has nothing
    "5500000000000000d7df0fc10a530a210a0178121c121a0a180000000000000000000000000000000000000000000000000a080a046e6f6e6512"
    "000a150a016e12101a0e0a0cfdffffffffffffffff01ac020a0d0a017412080a060a0261620a00d441d8a8"
)
PARSING = """\
import tensorflow as tf
spec = {"x": tf.io.FixedLenFeature([2, 3], tf.float32), "n": tf.io.FixedLenSequenceFeature([2], tf.int64, True)}
rows = tf.data.TFRecordDataset("data/x.tfrecord").map(lambda text: tf.io.parse_single_example(text, spec))
"""


def test_the_first_record_is_compared_with_what_is_parsed(project: Path) -> None:
    path = project / "data/x.tfrecord"
    path.write_bytes(bytes.fromhex(RECORD))
    told = {"x": ["float32", 6], "n": ["int64", 2], "t": ["string", 2]}
    assert json.loads(facts(str(path))) == {"features": told}
    assert not findings(PARSING)
    for right, wrong, said in (
        ("[2, 3]", "[2, 2]", "'x' of the first record has 6 values, which do not fill (2, 2)"),
        ("[2]", "[3]", "'n' of the first record has 2 values, which do not fill (3,)"),
        ("tf.float32", "tf.int64", "'x' of the first record is float32, not int64"),
        ('"x"', '"y"', "the first record has no 'y', only 'n', 't', 'x'"),
        ('"x"', '"none"', "the first record has no 'none', only 'n', 't', 'x'"),
    ):
        (found,) = findings(PARSING.replace(right, wrong))
        assert (found.message, found.severity) == (f"tf.io.parse_single_example: {said}", Severity.WARNING)
    assert not findings(PARSING.replace('"x"', '"y"').replace("tf.float32)", "tf.float32, [[0.0] * 3] * 2)"))
    assert not findings(PARSING.replace('"x"', '"y"').replace(".tfrecord", ".gz"))


def test_damaged_records_are_unknown(project: Path) -> None:
    path, content = project / "data/x.tfrecord", bytes.fromhex(RECORD)
    for at in range(len(content)):
        for changed in (content[:at], content[:at] + b"\xff" + content[at + 1 :]):
            path.write_bytes(changed)
            facts(str(path))
    path.write_bytes(b"\xff" * 8 + content[8:])
    assert not findings(PARSING.replace("[2, 3]", "[2, 2]"))


LOADING = """\
import keras
model = keras.Sequential([keras.Input((20,)), keras.layers.Dense(3), keras.layers.Dense(4)])
model.load_weights("data/w.h5")
"""
LAYOUTS = {  # of Keras 3, and of files of Keras 2 with the weights or a whole model; each begins with two layers
    "3": ("layers/dense/vars/0", "layers/dense_1/vars/0", "optimizer/vars/1"),
    "2": ("dense/dense/kernel:0", "dense_1/dense_1/kernel:0", "optimizer_weights/m"),
    "2 whole": ("model_weights/dense/dense/kernel:0", "model_weights/dense_1/dense_1/kernel:0", "optimizer_weights/m"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_weights_beside_the_program_must_fit(project: Path, layout: str) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(project / "data/w.h5", "w") as file:
        for name, sizes in zip(LAYOUTS[layout], ((20, 3), (3, 4), (20, 5)), strict=True):
            file[name] = np.zeros(sizes, "float32")
        if layout != "3":
            (file["model_weights"] if "whole" in layout else file).attrs["keras_version"] = "2.15.0"
    assert not findings(LOADING)
    for wrong in (LOADING.replace("Dense(4)", "Dense(6)"), LOADING.replace("(20,)", "(5,)")):
        (found,) = findings(wrong)
        assert (found.name, found.severity) == ("set-shape-conflict", Severity.WARNING)
    assert (
        found.message == "model.load_weights: the file has no array for a weight of shape (5, 3), only (20, 3), (3, 4)"
    )
    assert not findings(wrong.replace('.h5"', '.h5", skip_mismatch=True'))
    assert not findings(f"import keras\nkeras.callbacks.ModelCheckpoint('data/w.h5')\n{wrong}")


def test_folders_are_classes(project: Path) -> None:
    for name in ("cats", "dogs", "fish"):
        (project / "data/train" / name).mkdir(parents=True)
    program = """\
import keras
data = keras.utils.image_dataset_from_directory("data/train", label_mode="categorical", image_size=(8, 8))
model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Flatten(), keras.layers.Dense(4, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(data)
"""
    (found,) = findings(program)
    assert (found.name, found.severity) == ("cross-entropy-mismatch", Severity.WARNING)
    (project / "data/train/hens").mkdir()
    assert not findings(program)


def test_files_in_a_folder_that_is_named_are_those_that_the_program_reads(project: Path) -> None:
    (project / "data").rename(project.parent / "outside")
    named = (project.parent / "outside",)
    assert not findings(PROGRAM)
    assert findings(PROGRAM, data=named)
    assert not findings(PROGRAM.replace("30", "20"), data=named)
    absolute = PROGRAM.replace("data/x.npy", "/home/somebody/x.npy")
    assert findings(absolute, data=named)
    rows = PROGRAM.replace("y = tf.matmul(x, tf.zeros([30, 4]))", "y = x.reshape(60000, 20)")
    assert findings(rows, data=named), "the rows are known"
    assert findings(f"import os; os.chdir('elsewhere')\n{PROGRAM}", data=named), "wherever it runs"
    (project.parent / "outside/t.csv").write_text("a,b\n1,2\n3,4\n")
    table = "import pandas as pd\nt = pd.read_csv('t.csv').values.reshape(3, 2)\n"
    assert findings(table, data=named)
    assert not findings(table.replace("3, 2", "2, 2"), data=named)


def test_the_folder_may_be_configured(project: Path) -> None:
    from shapecheck.config_files import from_table

    config = from_table({"data": ["elsewhere"]}, "here", project)
    assert config.data == (project / "elsewhere",)
    os.rename(project / "data", project / "elsewhere")
    assert findings(PROGRAM, data=config.data)


def test_shapes_are_shown_with_what_the_files_tell(project: Path) -> None:
    from shapecheck.checker.inspect import reveal

    Path("main.py").write_text(PROGRAM.replace("30", "20"))
    assert [item.shape for item in reveal("main.py", 4, Config()) if item.text == "y"] == ["(rows, 4)"]
