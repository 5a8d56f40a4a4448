# Each target sets up what it needs: a virtual environment in .venv, made once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BROWSER_READY := $(VENV)/.browser-ready
BENCH := .bench-venv
BENCH_READY := $(BENCH)/.ready
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
PYTEST_BROWSER := $(BIN)/python -m pytest -n 2 --dist loadfile
NATIVE := $(wildcard textclust/native/*.pyx textclust/native/*.h)

# Installs Chromium where that is possible, or says what to install.
define HAVE_CHROMIUM
@if [ -z "$$CHROMIUM" ] && ! command -v chromium >/dev/null; then \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq chromium >/dev/null; \
	else echo "No Chromium: install the package chromium, or set CHROMIUM to the path of one." >&2; exit 1; fi; fi
endef

.PHONY: demo test test-browser screens torture torture-workbench lint bench bench-quick docs notebooks results clean

demo: $(READY)
	cd corpora && ../$(BIN)/textclust cluster newsgroups/ --k 3 --out ../demo-out
	@echo "The report is in demo-out/report.html"

test: lint
	$(PYTEST)

# The workbench in Chromium, which Debian's package chromium brings; CHROMIUM may name another one.
# What measures runs alone, and prints its figures.
test-browser: $(BROWSER_READY)
	$(HAVE_CHROMIUM)
	$(PYTEST_BROWSER) tests/browser --ignore tests/browser/test_size.py
	$(BIN)/python -m pytest -s tests/browser/test_size.py

# Pictures of every view for the documentation.
screens: $(BROWSER_READY)
	$(HAVE_CHROMIUM)
	$(BIN)/python -m tests.browser.screens docs/workbench

# The properties on twenty times as many random inputs.
torture: $(READY)
	HYPOTHESIS_PROFILE=torture $(PYTEST) --timeout 0

# The workbench, killed a thousand times amid its work.
torture-workbench: $(READY)
	TEXTCLUST_KILLS=1000 $(BIN)/python -m pytest tests/workbench/test_kills.py tests/workbench/test_journal.py -k kill --timeout 0

# pytest keeps the test files it has compiled, so that the next run collects them sooner.
test torture torture-workbench: export PYTHONDONTWRITEBYTECODE =

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(BENCH_READY)
	$(BENCH)/bin/python -m benchmarks --write

# In the environment of the peers where there is one: it needs none of them.
bench-quick: $(if $(wildcard $(BENCH_READY)),$(BENCH_READY),$(READY))
	$(<D)/bin/python -m benchmarks --quick

docs: $(READY)
	$(BIN)/python -m textclust.cli.reference > docs/cli.md
	$(BIN)/python -m textclust.cli.method_table > docs/methods.md

# The notebooks, run anew with what they show.
notebooks: $(READY)
	$(BIN)/python -m tests.notebooks docs/notebooks/*.ipynb

# Hours where nothing is done yet; it can be stopped, and goes on from there.
results: $(READY)
	$(BIN)/python -m textclust.experiments.page --names | xargs -I{} $(BIN)/textclust reproduce {} --jobs 2 --out reproduced
	$(BIN)/python -m textclust.experiments.page reproduced docs/results.md

clean:
	rm -rf $(VENV) $(BENCH) demo-out build *.egg-info textclust/native/*.so

$(READY): pyproject.toml setup.py $(NATIVE)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --upgrade pip
	$(BIN)/python -m pip install -qq --editable '.[test]'
	$(BIN)/python -m compileall -q textclust cli corpora
	touch $(READY)

$(BROWSER_READY): $(READY)
	$(BIN)/python -m pip install -qq --editable '.[test-browser]'
	touch $(BROWSER_READY)

$(BENCH_READY): pyproject.toml setup.py benchmarks/requirements.txt $(NATIVE)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install -qq --upgrade pip
	$(BENCH)/bin/python -m pip install -qq --editable '.[distributed,fast]'
	$(BENCH)/bin/python -m compileall -q textclust cli corpora
	$(BENCH)/bin/python -m benchmarks.environment
	touch $(BENCH_READY)
