PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
ARGS   ?= examples/
CASES  ?= 80

.PHONY: run test lint check diff diff-packs corpus corpus-runs docs bench programs browser screenshots vscode

run: $(VENV)/.core            ## check the example programs, or make run ARGS="path …"
	@$(BIN)/shapecheck $(ARGS) || [ $$? -eq 1 ]

test: $(VENV)/.full           ## every test there is, TensorFlow included
	$(BIN)/python -m pytest -q -n 2

lint: $(VENV)/.full           ## style, types and layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint                   ## what a change must pass: style, types, layers, and every test that is quick
	$(BIN)/python -m pytest -q -n 2 -m "not slow"
	@git diff --stat $$(git merge-base HEAD main 2>/dev/null || echo HEAD)

diff: $(VENV)/.full           ## every model beside the real libraries, older ones too where a Python for them is; CASES calls of each name
	$(BIN)/python -m tests.support.environments
	$(BIN)/python -m tests.support.differential --cases $(CASES)
	$(BIN)/python -m tests.support.misuse --no-gaps
	SHAPECHECK_CASES=$(CASES) $(BIN)/python -m pytest -q tests/test_layers.py tests/test_layers_blind.py tests/test_layers_older.py

diff-packs: $(VENV)/.full     ## the models of JAX and PyTorch beside the libraries, in environments of their own
	$(BIN)/python -m tests.support.environments packs
	JAX_PLATFORMS=cpu $(BIN)/python -m tests.support.differential --packs --cases $(CASES)
	$(BIN)/python -m pytest -q tests/test_jax.py tests/test_torch.py tests/test_torch_networks.py tests/test_runtime_packs.py

browser: $(VENV)/.full        ## the report, the site and editors in a headless Chromium, which must be installed with its driver
	@$(PIP) --editable ".[browser]"
	$(BIN)/python -m pytest -q tests/test_browser.py tests/test_site.py tests/test_vscode.py tests/test_jupyterlab.py

screenshots:                  ## the same, with screenshots in build/screenshots
	SHAPECHECK_SCREENSHOTS=build/screenshots $(MAKE) browser

vscode:                       ## package the extension for VS Code: editors/vscode/shapecheck.vsix
	cd editors/vscode && npm ci --no-audit --no-fund && npm run package

corpus: $(VENV)/.core         ## the corpus against its labels
	$(BIN)/shapecheck eval corpus/

corpus-runs: $(VENV)/.full    ## run all programs of the corpus anew, and note those that end as their labels say
	$(BIN)/python -m tests.support.recorded_runs

docs: $(VENV)/.full           ## write the generated tables anew
	$(BIN)/python -m tests.support.generate_signatures
	$(BIN)/python -m tests.support.generate_public_names
	$(BIN)/python -m tests.support.generate_dtypes
	$(BIN)/python -m tests.support.generate_refused_dtypes
	$(BIN)/python -m tests.support.generate_refused_values
	$(BIN)/python -m tests.support.docs

bench: $(VENV)/.core          ## the time of a check beside that of parsing; ARGS are folders
	$(BIN)/python -m benchmarks $(if $(filter-out file,$(origin ARGS)),$(ARGS))

programs: $(VENV)/.programs   ## published programs run beside what is predicted of them; ROOT is the folder of their repositories
	$(BIN)/python -m benchmarks.programs --root $(ROOT) $(if $(filter-out file,$(origin ARGS)),$(ARGS))

$(VENV)/bin/python:
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	@$(PIP) --editable .
	@touch $@

$(VENV)/.full: pyproject.toml | $(VENV)/bin/python
	@$(PIP) --editable ".[test,dev]"
	@touch $@ $(VENV)/.core

$(VENV)/.programs: $(VENV)/.full
	@$(PIP) --editable ".[programs]"
	@touch $@
