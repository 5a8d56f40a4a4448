# Each target sets up what it needs: a virtual environment in .venv, made once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH := .bench-venv
BENCH_READY := $(BENCH)/.ready
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
NATIVE := $(wildcard textclust/native/*.pyx textclust/native/*.h)

.PHONY: demo test torture torture-workbench lint bench bench-quick docs results clean

demo: $(READY)
	cd corpora && ../$(BIN)/textclust cluster newsgroups/ --k 3 --out ../demo-out
	@echo "The report is in demo-out/report.html"

test: lint
	$(PYTEST)

# The properties on twenty times as many random inputs.
torture: $(READY)
	HYPOTHESIS_PROFILE=torture $(PYTEST)

# The workbench, killed a thousand times amid its work.
torture-workbench: $(READY)
	TEXTCLUST_KILLS=1000 $(BIN)/python -m pytest tests/workbench/test_kills.py tests/workbench/test_journal.py -k kill

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

$(BENCH_READY): pyproject.toml setup.py benchmarks/requirements.txt $(NATIVE)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install -qq --upgrade pip
	$(BENCH)/bin/python -m pip install -qq --editable '.[fast]'
	$(BENCH)/bin/python -m compileall -q textclust cli corpora
	$(BENCH)/bin/python -m benchmarks.environment
	touch $(BENCH_READY)
