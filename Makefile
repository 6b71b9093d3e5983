# Each target is the only command needed on a machine that has Python 3.11 (with venv) and make.
#
#   make lab      open the first notebook in JupyterLab
#   make demo     the same work without a browser: prints the timeline, leaves demo.html
#   make test     all that guards the project: check, tests, browser, notebooks
#   make check    lint, format, types, layers, bundle
#   make bench    a table of ratios beside a peer (in a set-up of its own)
#   make bundle   build the widget's one JavaScript file from its modules
#   make notebooks    run the notebooks and store their outputs
#   make cases CASES=<folder>   acceptance cases, compared with tests/cases/not_yet.txt
#   make constraints  take today's versions of everything into constraints.txt
#   make clean    remove what the targets above made
#
# WEAVENB_BROWSER=0 leaves the browser tests out, for a machine that cannot have Chromium; CI
# (CI set) ignores it.

SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq --constraint constraints.txt
JOBS ?= 2
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
LAB_FLAGS := $(if $(filter 0,$(shell id -u)),--allow-root)

# Chromium is looked for even when CI says to leave it out: CI has no such choice.
BROWSER := $(if $(CI),1,$(or $(WEAVENB_BROWSER),1))

.DEFAULT_GOAL := help
.PHONY: help lab demo test check unit browser nbval bench bundle notebooks cases constraints clean

help:
	@sed -n 's/^#   \(make .*\)/\1/p' Makefile

# ------------------------------------------------------------------ set-up
# A stamp is older than what it was made from only when that changed.
$(VENV)/.made: tests/setup/venv.sh
	@bash tests/setup/venv.sh "$(PYTHON)" $(VENV)
	@touch $@

$(VENV)/.lab: $(VENV)/.made pyproject.toml constraints.txt
	@echo "set-up: weavenb, JupyterLab"
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable '.[lab,wasm]'
	@touch $@

$(VENV)/.test: $(VENV)/.lab
	@echo "set-up: what the tests need"
	@$(PIP) --no-build-isolation --editable '.[lab,wasm,test]'
	@touch $@

# ------------------------------------------------------------------ for users
lab: $(VENV)/.lab
	$(BIN)/python -m jupyterlab $(LAB_FLAGS) notebooks/01_quickstart.ipynb

demo: $(VENV)/.lab
	@$(BIN)/python notebooks/demo.py

# ------------------------------------------------------------------ for developers
test: check unit browser nbval

# All of them, even when the first finds something.
check: $(VENV)/.test
	@failed=0; \
	$(BIN)/ruff check --quiet --output-format concise || failed=1; \
	$(BIN)/ruff format --quiet --check || failed=1; \
	$(BIN)/mypy || failed=1; \
	$(BIN)/lint-imports --no-logo || failed=1; \
	$(BIN)/python -m tests.setup.bundle --check || failed=1; \
	exit $$failed

unit: $(VENV)/.test
	@$(BIN)/python -m pytest -q -n $(JOBS) --ignore=tests/browser --ignore=tests/benchmarks tests

browser: $(VENV)/.test
ifeq ($(BROWSER),0)
	@echo "browser tests: left out, since WEAVENB_BROWSER=0"
else
	@bash tests/setup/chromium.sh
	@$(BIN)/python -m pytest -q tests/browser
endif

# Twice: what a first run leaves behind must not change a second one.
nbval: $(VENV)/.test
ifeq ($(NOTEBOOKS),)
	@echo "nbval: there is no notebook in notebooks/"
else
	@for turn in first second; do echo "nbval, $$turn run"; \
	$(BIN)/python -m pytest -q --nbval --nbval-current-env --nbval-cell-timeout=120 \
		-p no:cacheprovider $(NOTEBOOKS) || exit 1; done
endif

bundle: $(VENV)/.test
	@$(BIN)/python -m tests.setup.bundle

notebooks: $(VENV)/.test
	@$(BIN)/python -m tests.notebooks.refresh $(NOTEBOOKS)

bench:
	@bash tests/setup/bench.sh "$(PYTHON)" .venv-bench $(ARGS)

cases: $(VENV)/.test
	@test -n "$(CASES)" || { echo "say which folder: make cases CASES=<folder>"; exit 2; }
	@$(BIN)/python -m tests.cases.run "$(CASES)" $(if $(UPDATE),--update)

constraints:
	@bash tests/setup/constraints.sh "$(PYTHON)"

clean:
	rm -rf $(VENV) .venv-* build dist demo.html tests/_artifacts
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find weavenb tests notebooks -name __pycache__ -type d -prune -exec rm -rf {} +
