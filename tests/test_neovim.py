"""The language server with Neovim's own client, where Neovim is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NVIM = shutil.which("nvim")
pytestmark = pytest.mark.skipif(NVIM is None, reason="Neovim is not installed")

SCRIPT = """
vim.cmd('edit main.py')
vim.bo.filetype = 'python'
local command = { PYTHON, '-m', 'shapecheck', 'server' }
local id = vim.lsp.start_client({ name = 'shapecheck', cmd = command, root_dir = vim.loop.cwd() })
vim.lsp.buf_attach_client(0, id)
local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  return answers[id].result
end
local function told(count)
  vim.wait(60000, function() return #vim.diagnostic.get(0) == count end, 50)
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { row = each.lnum + 1, column = each.col + 1, message = each.message })
  end
  return found
end
local document = { uri = vim.uri_from_bufnr(0) }
local seen = { before = told(1) }
local here = { line = 1, character = 0 }
seen.hover = request('textDocument/hover', { textDocument = document, position = here }).contents.value
local range = { start = { line = 2, character = 0 }, ['end'] = { line = 2, character = 20 } }
local asked = { textDocument = document, range = range, context = { diagnostics = {} } }
seen.actions = {}
for _, action in ipairs(request('textDocument/codeAction', asked)) do
  table.insert(seen.actions, action.title)
  if action.isPreferred then vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16') end
end
seen.after = told(0)
seen.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
io.stdout:write(vim.json.encode(seen) .. '\\n')
vim.cmd('qall!')
"""
PROGRAM = "import numpy as np\nx = np.zeros((2, 3))\ny = np.zeros(3, 4)\n"


def test_findings_hover_and_fixes_in_neovim(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "script.lua").write_text(SCRIPT.replace("PYTHON", json.dumps(sys.executable)), encoding="utf-8")
    command = [str(NVIM), "--headless", "--clean", "-c", "luafile script.lua"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    seen = next((json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")), None)
    assert seen is not None, ran.stdout + ran.stderr
    (found,) = seen["before"]
    assert (found["row"], found["column"]) == (3, 5)
    assert found["message"].startswith("np.zeros:")
    assert "x: (2, 3) float64" in seen["hover"]
    assert seen["actions"] == ["shapecheck: write np.zeros([3, 4])", "shapecheck: silence SHP102 here"]
    assert not seen["after"]
    assert seen["text"][2] == "y = np.zeros([3, 4])"


def has_own_configuration() -> bool:
    """Return whether Neovim is as new as the documentation asks for."""
    told = subprocess.run([str(NVIM), "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"NVIM v(\d+)\.(\d+)", told)
    return version is not None and (int(version[1]), int(version[2])) >= (0, 11)


ASK = """
vim.cmd('edit main.py')
vim.wait(60000, function() return #vim.diagnostic.get(0) == 1 end, 50)
io.stdout:write(vim.json.encode(vim.diagnostic.get(0)) .. '\\n')
vim.cmd('qall!')
"""


@pytest.mark.skipif(NVIM is None or not has_own_configuration(), reason="needs Neovim 0.11")
def test_the_configuration_in_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "integrations.md").read_text(encoding="utf-8")
    (configuration,) = re.findall(r"^```lua\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert '"shapecheck", "server"' in configuration
    configuration = configuration.replace('"shapecheck", "server"', f'"{sys.executable}", "-m", "shapecheck", "server"')
    (tmp_path / "main.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "script.lua").write_text(configuration + ASK, encoding="utf-8")
    command = [str(NVIM), "--headless", "--clean", "-c", "luafile script.lua"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    (found,) = json.loads(ran.stdout.splitlines()[-1])
    assert (found["lnum"], found["code"]) == (2, "rank-mismatch")
