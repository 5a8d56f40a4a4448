# Each target sets up what it needs: a virtual environment in .venv, made once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench docs clean

demo: $(READY)
	cd corpora && ../$(BIN)/textclust cluster newsgroups/ --k 3 --out ../demo-out
	@echo "The report is in demo-out/report.html"

test: lint
	$(BIN)/python -m pytest -n auto

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m textclust.cli.reference > docs/cli.md

clean:
	rm -rf $(VENV) demo-out build *.egg-info textclust/native/*.so

$(READY): pyproject.toml setup.py $(wildcard textclust/native/*.pyx textclust/native/*.h)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --upgrade pip
	$(BIN)/python -m pip install -qq --editable '.[test]'
	touch $(READY)
