# make demo    install into .venv and show the main job on a real store
# make test    install what tests need, run them
# make check   formatting, lint, strict types, then the tests
# make soak    the fault runs in their long form
# make node    a Node of our own and the MCP Inspector, for one test; without them it is skipped
# make bench   speed and quality, printed as ratios (DATA=FOLDER for quality)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MODELS := $(CURDIR)/.models
WORKERS ?= 2
NODE := $(CURDIR)/.node
NPM := npm install --prefix $(NODE) --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=60000
PYTEST := COMMONPLACE_TEST_MODELS=$(MODELS) $(BIN)/python -m pytest

.PHONY: demo install dev models node test check lint types soak bench clean

install: $(VENV)/.installed
dev: $(VENV)/.installed-dev
models: $(MODELS)/arctic-s/manifest.json

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/.installed $@

$(MODELS)/arctic-s/manifest.json: | $(VENV)/.installed
	COMMONPLACE_MODELS=$(MODELS) $(BIN)/commonplace models pull

# The Inspector wants a newer Node than many machines have; npm brings one for each platform.
node:
	@test -e $(NODE)/.installed || { \
	  mkdir -p $(NODE) && platform=$$(node -p 'process.platform + "-" + process.arch') && \
	  $(NPM) node-$$platform@24 && PATH=$(NODE)/node_modules/node-$$platform/bin:$$PATH && \
	  $(NPM) @modelcontextprotocol/inspector@2 && ln -sfn node_modules/node-$$platform/bin $(NODE)/bin && \
	  touch $(NODE)/.installed; } || echo 'No MCP Inspector: npm is missing or offline. Its test will be skipped.'

demo: install models
	COMMONPLACE_MODELS=$(MODELS) $(BIN)/commonplace demo

test: dev models node
	$(PYTEST) -n $(WORKERS)

lint: dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: dev
	$(BIN)/mypy

check: lint types test

soak: dev models
	COMMONPLACE_SOAK=1 $(PYTEST) tests/faults tests/dream tests/test_state_machine.py

bench: dev models
	$(BIN)/python bench/speed.py
	$(BIN)/python bench/dream.py
	$(BIN)/python bench/start.py
	$(BIN)/python bench/distil.py --pace
	$(if $(DATA),COMMONPLACE_MODELS=$(MODELS) $(BIN)/python bench/quality.py --data $(DATA))

clean:
	rm -rf $(VENV) $(MODELS) $(NODE) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
