# make demo    install into .venv and show the main job on a real store
# make test    install what tests need, run them
# make check   formatting, lint, strict types, then the tests
# make soak    the fault runs, and whatever else is long by nature, in their long form
# make test-hosts  what people say in Claude Code, Codex, Gemini CLI and opencode comes back (hosts from npm, 1.4 GB)
# make test-web  the page in a real browser: brings Debian's chromium where it is missing, and axe-core from npm
# make pictures  take the pictures of the page, and the recording of the terminal, anew that the docs show
# make node    a Node of our own, the MCP Inspector and tsc, for a test each; without them they are skipped
# make lock    renew constraints/, the tested versions with their hashes, that all of the above install
# make surfaces  what every dialect answers to a host's first words, written down anew for the start of the server
# make bench   speed and quality, printed as ratios (DATA=FOLDER for quality)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MODELS := $(CURDIR)/.models
WORKERS ?= 2
NODE := $(CURDIR)/.node
AXE := $(NODE)/page
# Nothing that is fetched is run while it is installed: wheels only, the build tools too are pinned, no npm scripts.
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOCKED := $(PIP) install --quiet --require-hashes --only-binary :all:
OURSELVES := $(PIP) install --quiet --no-deps --no-build-isolation --editable .
UV_VERSION := 0.13.8
COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
  --no-emit-index-url --custom-compile-command 'make lock'
NODE_VERSION := 24.21.0
INSPECTOR_VERSION := 2.12.0
TYPESCRIPT_VERSION := 7.0.2
HOSTS := $(CURDIR)/.hosts
CLAUDE_VERSION := 2.1.325
CODEX_VERSION := 0.166.0
GEMINI_VERSION := 0.61.0
OPENCODE_VERSION := 1.18.33
ROUNDS ?= 1
KILLED ?= 5
NPM := npm install --prefix $(NODE) --save-exact --ignore-scripts --no-audit --no-fund --no-update-notifier \
  --loglevel=error --fetch-retries=1 --fetch-timeout=60000
PYTEST := COMMONPLACE_TEST_MODELS=$(MODELS) $(BIN)/python -m pytest

.PHONY: demo install dev surfaces lock models languages node browser hosts test test-hosts test-web check lint types soak \
  bench pictures clean

install: $(VENV)/.installed
dev: $(VENV)/.installed-dev
models: $(MODELS)/arctic-s/manifest.json
languages: $(MODELS)/use-multilingual/manifest.json

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml constraints/run.txt constraints/build.txt
	$(LOCKED) --requirement constraints/run.txt --requirement constraints/build.txt
	$(OURSELVES)
	@touch $@

$(VENV)/.installed-dev: $(BIN)/python pyproject.toml constraints/dev.txt
	$(LOCKED) --requirement constraints/dev.txt
	$(OURSELVES)
	@touch $(VENV)/.installed $@

lock: $(BIN)/python
	$(PIP) install --quiet uv==$(UV_VERSION)
	$(COMPILE) pyproject.toml --extra postgres --output-file constraints/run.txt
	$(COMPILE) --group build --output-file constraints/build.txt
	$(COMPILE) pyproject.toml --extra dev --group build --constraint constraints/run.txt \
	  --constraint constraints/build.txt --output-file constraints/dev.txt

$(MODELS)/%/manifest.json: | $(VENV)/.installed
	COMMONPLACE_MODELS=$(MODELS) $(BIN)/commonplace models pull $*

# The Inspector wants a newer Node than many machines have; npm brings one for each platform.
node:
	@test -e $(NODE)/.installed || { \
	  mkdir -p $(NODE) && platform=$$(node -p 'process.platform + "-" + process.arch') && \
	  $(NPM) node-$$platform@$(NODE_VERSION) && PATH=$(NODE)/node_modules/node-$$platform/bin:$$PATH && \
	  $(NPM) @modelcontextprotocol/inspector@$(INSPECTOR_VERSION) typescript@$(TYPESCRIPT_VERSION) && ln -sfn node_modules/node-$$platform/bin $(NODE)/bin && \
	  touch $(NODE)/.installed; } || echo 'No MCP Inspector and no tsc: npm is missing or offline. Their tests will be skipped.'

# Hosts as people have them, for their own test; with ROUNDS=10 each pair of sessions is run ten times.
hosts: node
	@test -e $(HOSTS)/.installed || { \
	  mkdir -p $(HOSTS) && PATH=$(NODE)/bin:$$PATH npm install --prefix $(HOSTS) --save-exact --ignore-scripts --no-audit \
	  --no-fund --no-update-notifier --loglevel=error @anthropic-ai/claude-code@$(CLAUDE_VERSION) \
	  @openai/codex@$(CODEX_VERSION) @google/gemini-cli@$(GEMINI_VERSION) opencode-ai@$(OPENCODE_VERSION) && \
	  touch $(HOSTS)/.installed; }

test-hosts: dev models hosts
	COMMONPLACE_TEST_HOSTS=$(HOSTS) COMMONPLACE_TEST_NODE=$(NODE)/bin COMMONPLACE_TEST_ROUNDS=$(ROUNDS) \
	  COMMONPLACE_TEST_KILLED=$(KILLED) $(PYTEST) -p no:xdist -s tests/hosts

# The browser is the system's own, and what npm brings is in a lock with its hashes; without them the tests fail.
browser: $(AXE)/.installed

$(AXE)/.installed: tests/web/package.json tests/web/package-lock.json
	.ci/browser
	mkdir -p $(AXE) && cp $^ $(AXE) && npm ci --prefix $(AXE) --ignore-scripts --no-audit --no-fund \
	  --no-update-notifier --loglevel=error --fetch-retries=1 --fetch-timeout=60000
	@touch $@

test-web: dev models browser
	.ci/browser
	node --test tests/page/*.test.mjs
	COMMONPLACE_TEST_AXE=$(AXE)/node_modules/axe-core/axe.min.js $(PYTEST) -n $(WORKERS) -m web tests/web

pictures: dev models browser
	$(BIN)/python bench/pictures.py
	COMMONPLACE_MODELS=$(MODELS) $(BIN)/python bench/recording.py

surfaces: install
	$(BIN)/python -m commonplace.serve.surface

demo: install models
	COMMONPLACE_MODELS=$(MODELS) $(BIN)/commonplace demo

test: dev models languages node
	$(PYTEST) -n $(WORKERS)

lint: dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: dev
	$(BIN)/mypy

check: lint types test

soak: dev models languages
	COMMONPLACE_SOAK=1 $(PYTEST) tests/faults tests/dream tests/book/test_state_machine.py tests/security/test_linear.py \
	  tests/security/test_beside.py tests/http/test_isolation.py tests/serve/test_malformed.py tests/serve/test_many.py

bench: dev models languages
	$(BIN)/python bench/speed.py
	$(BIN)/python bench/dream.py
	$(BIN)/python bench/start.py
	$(BIN)/python bench/distil.py --pace
	$(BIN)/python bench/hostile.py
	$(BIN)/python bench/beside.py
	.ci/browser
	$(BIN)/python bench/page.py
	$(BIN)/python bench/lingual.py --models $(MODELS)
	$(if $(DATA),COMMONPLACE_MODELS=$(MODELS) $(BIN)/python bench/quality.py --data $(DATA))

clean:
	rm -rf $(VENV) $(MODELS) $(NODE) $(HOSTS) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
