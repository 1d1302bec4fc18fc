"""Tensors of PyTorch and functions of them: expressions with what is known of them, checked, and computed where
PyTorch is installed.

`python -m tests.support.environments packs` makes the environment for that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import shapecheck
from tests.support.environments import PYTORCH
from tests.support.expressions import FAILS, SILENT, checked, wrong
from tests.support.torch_setup import TENSORS

CASES = {
    # functions that are called again, matrices and parts
    "torch.linalg.svd(x, full_matrices=False).Vh.float()": "(3, 4) float32",
    "torch.linalg.svd(x).Vh.float()": "(4, 4) float32",
    "torch.linalg.solve_triangular(torch.eye(3), x, upper=True)": "(3, 4) float32",
    "torch.linalg.solve_triangular(torch.eye(4), x, upper=True)": FAILS,
    "torch.linalg.lstsq(torch.rand(5, 3), torch.rand(5, 2)).solution.float()": "(3, 2) float32",
    "torch.tensor_split(x, 3, 1)[0]": "(3, 2) float32",
    "torch.cartesian_prod(row, torch.arange(3.0))": "(12, 2) float32",
    "torch.atleast_2d(row)": "(1, 4) float32",
    "torch.addmv(torch.zeros(3), x, row).float()": "(3,) float32",
    "torch.addmv(torch.zeros(2), x, row)": FAILS,
    "torch.take_along_dim(x, x.argsort(1)[:, :2], 1)": "(3, 2) float32",
    "torch.flip(torch.tensor(3.0), [0])": "() float32",
    "torch.zeros(2, 3)": "(2, 3) float32",
    "torch.zeros((2, 3), dtype=torch.long)": "(2, 3) int64",
    "torch.ones(3, dtype=torch.float64)": "(3,) float64",
    "torch.full((3,), 1, dtype=torch.float32)": "(3,) float32",
    "torch.full((3,), 1)": "(3,) int64",
    "row.new_ones(2, dtype=torch.int64)": "(2,) int64",
    "row.new_full((2,), 1.5, dtype=torch.int32)": "(2,) int32",
    "torch.arange(5)": "(5,) int64",
    "torch.arange(0, 1, 0.25)": "(4,) float32",
    "torch.tensor([[1, 2, 3]])": "(1, 3) int64",
    "torch.tensor([1.0, 2.0])": "(2,) float32",
    "torch.from_numpy(np.zeros((2, 2)))": "(2, 2) float64",
    "np.transpose(torch.ones(2, 3, 4), (1, 2, 0)).numpy()": "(3, 4, 2) float32",
    "np.sqrt(x).view(12)": "(12,) float32",
    "torch.randint(0, 10, (4,))": "(4,) int64",
    "torch.linspace(0, 1, 7)": "(7,) float32",
    "torch.eye(3)": "(3, 3) float32",
    "torch.full((2, 2), 0.5)": "(2, 2) float32",
    "torch.zeros_like(x, dtype=torch.int64)": "(3, 4) int64",
    "x.new_zeros(5)": "(5,) float32",
    "torch.arange(3) + 1.5": "(3,) float32",
    "torch.arange(3) / 2": "(3,) float32",
    "torch.arange(3) // 2": "(3,) int64",
    "torch.ones(3, dtype=torch.float16) * torch.ones(1, dtype=torch.float64)": "(3,) float64",
    "torch.ones(3, dtype=torch.float16) * torch.tensor(2.0, dtype=torch.float64)": "(3,) float16",
    "x > 0": "(3, 4) bool",
    "x + row": "(3, 4) float32",
    "x + torch.ones(3)": FAILS,
    "x @ x.t()": "(3, 3) float32",
    "x @ row": "(3,) float32",
    "x @ x": FAILS,
    "x.T": "(4, 3) float32",
    "x.sum()": "() float32",
    "x.sum(0)": "(4,) float32",
    "x.sum(dim=1, keepdim=True)": "(3, 1) float32",
    "x.sum((0, 1))": "() float32",
    "x.mean(-1)": "(3,) float32",
    "x.mean(2)": FAILS,
    "x.max()": "() float32",
    "x.max(1)[0]": "(3,) float32",
    "x.max(dim=1)[1]": "(3,) int64",
    "torch.max(x, row)": "(3, 4) float32",
    "torch.max(input=x, other=torch.tensor(0.0))": "(3, 4) float32",
    "x.argmax(1)": "(3,) int64",
    "x.argmax()": "() int64",
    "x.std(dim=0)": "(4,) float32",
    "x.norm(dim=1)": "(3,) float32",
    "x.topk(2)[0]": "(3, 2) float32",
    "x.topk(5)[0]": FAILS,
    "x.sort(dim=1)[1]": "(3, 4) int64",
    "x.cumsum(0)": "(3, 4) float32",
    "x.softmax(dim=1)": "(3, 4) float32",
    "x.view(2, 6)": "(2, 6) float32",
    "x.view(-1)": "(12,) float32",
    "x.view(4, -1)": "(4, 3) float32",
    "x.view(5, -1)": FAILS,
    "x.reshape(12)": "(12,) float32",
    "x.view(x.size(0), -1, 2)": "(3, 2, 2) float32",
    "x.unsqueeze(1)": "(3, 1, 4) float32",
    "x.unsqueeze(0).squeeze(0)": "(3, 4) float32",
    "x[None]": "(1, 3, 4) float32",
    "x[:, 1]": "(3,) float32",
    "x[1]": "(4,) float32",
    "x[5]": FAILS,
    "x[..., 0]": "(3,) float32",
    "x[:, 1:3]": "(3, 2) float32",
    "x[x > 0].dim()": SILENT,
    "x[torch.tensor([0, 2])]": "(2, 4) float32",
    "x.permute(1, 0)": "(4, 3) float32",
    "x.permute(1, 0, 2)": FAILS,
    "x.transpose(0, 1).contiguous().view(-1)": "(12,) float32",
    "x.transpose(1, 2)": FAILS,
    "[turned := x.clone(), turned.t_(), turned][2]": "(4, 3) float32",
    "torch.tensor([torch.randint(0, 5, (1,)) for _ in range(3)])": "(3,) int64",
    "torch.LongTensor([[torch.zeros(1, 1).long(), 2]] * 3)": "(3, 2) int64",
    "[turned := x.clone(), turned.resize_(2, 6), turned.T @ torch.ones(2)][2]": "(6,) float32",
    "[made := torch.empty(0), torch.add(x, 1.0, out=made), made @ torch.ones(4)][2]": "(3,) float32",
    "[made := torch.ones(5, 7), torch.cat([x, x], out=made), made @ torch.ones(4)][2]": "(6,) float32",
    "[both := (torch.empty(0), torch.empty(0).long()), torch.max(x, 1, out=both), both[0] + torch.ones(3)][2]": (
        "(3,) float32"
    ),
    "[turned := x.clone(), turned.unsqueeze_(0).squeeze_(0).resize_(2, 6), turned][2] @ torch.ones(6)": "(2,) float32",
    "x.expand(2, 3, 4)": "(2, 3, 4) float32",
    "x.expand(3, 5)": FAILS,
    "torch.ones(3, 1).expand(-1, 4)": "(3, 4) float32",
    "x.repeat(2, 1)": "(6, 4) float32",
    "x.repeat(2)": FAILS,
    "x.flatten()": "(12,) float32",
    "torch.flatten(torch.zeros(2, 3, 4), 1)": "(2, 12) float32",
    "x.chunk(2, dim=1)[0]": "(3, 2) float32",
    "x.split(3, dim=1)[1]": "(3, 1) float32",
    "x.split([1, 3], dim=1)[1]": "(3, 3) float32",
    "x.unbind(0)[0]": "(4,) float32",
    "torch.cat([x, x])": "(6, 4) float32",
    "torch.cat([x, x], dim=1)": "(3, 8) float32",
    "torch.cat([x, x.t()])": FAILS,
    "torch.cat((x, x), -1)": "(3, 8) float32",
    "x.gather(1, torch.zeros(3, 2, dtype=torch.long))": "(3, 2) float32",
    "x.gather(1, torch.zeros(3, dtype=torch.long))": FAILS,
    "x.index_select(1, torch.tensor([0, 1]))": "(3, 2) float32",
    "torch.where(x > 0, x, torch.zeros(4))": "(3, 4) float32",
    "x.masked_fill(x > 0, 0)": "(3, 4) float32",
    "x.clamp(min=0)": "(3, 4) float32",
    "x.float().long()": "(3, 4) int64",
    "x.to(torch.float64)": "(3, 4) float64",
    'x.to("cpu")': "(3, 4) float32",
    "x.numpy()": "(3, 4) float32",
    "x.detach().cpu().numpy()": "(3, 4) float32",
    "x.size()": SILENT,
    "x.size(1)": SILENT,
    "x.shape[0]": SILENT,
    'torch.einsum("ij,kj->ik", x, x)': "(3, 3) float32",
    'torch.einsum("bij,bjk->bik", x, x)': FAILS,
    "torch.bmm(torch.zeros(2, 3, 4), torch.zeros(2, 4, 5))": "(2, 3, 5) float32",
    "torch.bmm(x, x)": FAILS,
    "torch.matmul(torch.zeros(2, 3, 4), torch.zeros(4, 5))": "(2, 3, 5) float32",
    "torch.mm(x, torch.zeros(2, 3, 4))": FAILS,
    "torch.outer(row, row)": "(4, 4) float32",
    "torch.dot(row, torch.zeros(3))": FAILS,
    "torch.cdist(x, torch.zeros(5, 4))": "(3, 5) float32",
    "torch.tril(torch.ones(4, 4)).view(1, 1, 4, 4)": "(1, 1, 4, 4) float32",
    "torch.quantile(x, torch.tensor([0.1, 0.5]), dim=1, keepdim=True)": "(2, 3, 1) float32",
    "x.nanquantile(torch.tensor([0.1, 0.5]))": "(2,) float32",
    "torch.quantile(x, x)": FAILS,
    "torch.zeros(()).transpose(0, 1)": FAILS,
    # arguments as NumPy names them, older arguments, fields of results
    "x.mean(axis=0)": "(4,) float32",
    "torch.sum(x, axis=1, keepdims=True)": "(3, 1) float32",
    "torch.cat([x, x], axis=1)": "(3, 8) float32",
    "x.max(1).values": "(3,) float32",
    "x.sort(dim=1).indices": "(3, 4) int64",
    "[x, x][torch.tensor([[1]])]": "(3, 4) float32",
    "-x + ~(x > 0)": "(3, 4) float32",
    # views of tensors whose axes were moved
    "torch.zeros(2, 3, 4, 5).transpose(1, 2).view(2, 4, 15)": FAILS,
    "torch.zeros(2, 3, 4, 5).transpose(1, 2).view(2, 4, 3, 5, 1)": "(2, 4, 3, 5, 1) float32",
    "torch.zeros(2, 1, 4, 5).transpose(1, 2).view(2, 20)": "(2, 20) float32",
    "torch.zeros(2, 3, 4).permute(2, 0, 1).view(4, 6)": "(4, 6) float32",
    "torch.zeros(3, 4).t().view(-1)": FAILS,
    # parts that are added, sequences that are aligned, images of a batch
    "torch.zeros(5, 3).index_add(0, torch.tensor([1, 2]), torch.zeros(2, 3))": "(5, 3) float32",
    "torch.zeros(5, 3).index_add(0, torch.tensor([1, 2]), torch.zeros(3, 3))": FAILS,
    "torch.zeros(5, 3).index_add(0, torch.tensor([1, 2]), torch.zeros(2, 4))": FAILS,
    "torch.zeros(4, 2)[torch.zeros(0, 4) > 0] if (torch.zeros(0, 4) > 0).any() else x": "(3, 4) float32",
    # functions of batches and their derivatives, modules with other weights
    "torch.autograd.functional.jacobian(lambda w: x @ w, row)": "(3, 4) float32",
    # derivatives are those of a number
    "x.backward()": FAILS,
    "(x * param).sum().backward()": SILENT,
    "(x * param).backward(torch.ones(3, 4))": SILENT,
    "(x * param).backward(torch.ones(4, 3))": FAILS,
    "torch.autograd.grad((x * param).sum(), param)[0]": "(3, 4) float32",
    "torch.autograd.grad(x * param, param)": FAILS,
    # parameters in their order, weights that a file holds
    "[x == [], x][1]": "(3, 4) float32",
    "x == row": "(3, 4) bool",
    # rows for all words, functions with derivatives of their own
    # options that NumPy calls otherwise
    "torch.fft.rfft(image, dim=2).abs().float()": "(2, 3, 9, 16) float32",
    "torch.fft.rfft2(image, dim=(1, 2)).abs().float()": "(2, 3, 9, 16) float32",
    "torch.fft.irfftn(torch.fft.rfft2(x), (3, 4)).float()": "(3, 4) float32",
    "torch.fft.irfft2(torch.fft.rfft2(image), dim=(2, 3)).float()": "(2, 3, 16, 16) float32",
    "torch.zeros(5, 3).index_add(0, torch.tensor([[1], [2]]), torch.zeros(2, 3))": FAILS,
    "torch.normal(torch.zeros(3, 1), torch.ones(4))": "(3, 4) float32",
    "torch.concatenate([x, x], axis=1)": "(3, 8) float32",
    # patches, distances, parts
    "torch.select(image, 1, 0)": "(2, 16, 16) float32",
    "torch.fft.rfft2(image).abs().float()": "(2, 3, 16, 9) float32",
    "image.new(2, 5)": "(2, 5) float32",
    # one value, which has no variance while a module is trained
    "torch.cross(x, x)": "(3, 4) float32",
    "torch.linalg.cross(x, x)": FAILS,
    "torch.zeros(3, 4, 5)[torch.triu(torch.ones(3, 4)).byte()].sum(0)": "(5,) float32",
    "torch.flatten(torch.tensor(3.0), end_dim=-2)": FAILS,
}
SUSPICIOUS = {"x.view(4, -1)": "reshape-as-transpose"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what the check says of each expression."""
    return checked(TENSORS, CASES, tmp_path_factory.mktemp("torch") / "program.py", SUSPICIOUS)


@pytest.mark.parametrize("expression", CASES)
def test_what_is_known(expression: str, told: dict[str, str]) -> None:
    assert told.get(expression, SILENT) == CASES[expression]


@pytest.mark.parametrize("line", ["loss.data[0]", "loss.data.numpy()[0]"])
def test_an_index_of_a_number_is_dated(line: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    program = "import torch\nfrom torch.autograd import Variable\nloss = Variable(torch.zeros(3)).sum()\n"
    path.write_text(program + line)
    assert [f.severity.value for f in shapecheck.check([path], shapecheck.Config(cache_dir=None))] == ["warning"]
    path.write_text(f"import torch\nloss = torch.zeros(3).sum()\n{line.replace('.data', '')}")
    assert [f.severity.value for f in shapecheck.check([path], shapecheck.Config(cache_dir=None))] == ["error"]


@pytest.mark.skipif(not PYTORCH.is_there, reason="PyTorch is not there: make diff-packs")
def test_it_is_so() -> None:
    assert wrong(PYTORCH.python, TENSORS, CASES) == {}
