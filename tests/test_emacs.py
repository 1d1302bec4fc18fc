"""The language server with eglot of Emacs as the editor, where both are installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EMACS = shutil.which("emacs")
PAGE = Path(__file__).parents[1] / "docs" / "integrations.md"
SCRIPT = """
(package-initialize)
SNIPPET
(setq eglot-sync-connect t eglot-connect-timeout 60)
(find-file "main.py")
(apply #'eglot (eglot--guess-contact))
(defun told () (flymake-start) (sit-for 0.2)
  (mapcar (lambda (each) (list :row (line-number-at-pos (flymake-diagnostic-beg each))
                               :text (flymake-diagnostic-text each)))
          (flymake-diagnostics)))
(defun told-until (wanted) (let ((end (+ (float-time) 60)) found)
  (while (and (not (eq (not (setq found (told))) (not wanted))) (< (float-time) end)))
  (vconcat found)))
(let* ((before (told-until t))
       (hover (progn (goto-char (point-min)) (forward-line 1)
                (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                 (eglot--TextDocumentPositionParams))))
       (actions (progn (forward-line 1) (forward-char 4)
                  (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction
                    (list :textDocument (eglot--TextDocumentIdentifier)
                          :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                          :context (list :diagnostics [])))))
       (fix (seq-find (lambda (each) (eq t (plist-get each :isPreferred))) actions))
       after)
  (eglot--apply-workspace-edit (plist-get fix :edit))
  (eglot--signal-textDocument/didChange)
  (setq after (told-until nil))
  (princ (json-serialize (list :before before :hover (plist-get (plist-get hover :contents) :value) :after after
                               :text (buffer-substring-no-properties (point-min) (point-max)))))
  (set-buffer-modified-p nil)
  (kill-emacs))
"""
PROGRAM = "import numpy as np\nx = np.zeros((2, 3))\ny = np.zeros(3, 4)\n"


def has_eglot() -> bool:
    command = [str(EMACS), "--batch", "--no-init-file", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return EMACS is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_findings_hover_and_fixes_in_emacs(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (snippet,) = re.findall(r"^```elisp\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert '"shapecheck" "server"' in snippet
    snippet = snippet.replace('"shapecheck" "server"', f'"{sys.executable}" "-m" "shapecheck" "server"')
    script = SCRIPT.replace("SNIPPET", snippet)
    (tmp_path / "script.el").write_text(script, encoding="utf-8")
    ran = subprocess.run(
        [str(EMACS), "--batch", "--no-init-file", "-l", "script.el"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    seen = next((json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")), None)
    assert seen is not None, ran.stdout + ran.stderr
    assert [(each["row"], "np.zeros:" in each["text"]) for each in seen["before"]] == [(3, True)]
    assert "x: (2, 3) float64" in seen["hover"]
    assert seen["after"] == []
    assert seen["text"].splitlines()[2] == "y = np.zeros([3, 4])"
