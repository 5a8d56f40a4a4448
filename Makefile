# Each target sets up what it needs: a virtual environment in .venv, made once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BROWSER_READY := $(VENV)/.browser-ready
DOCS_READY := $(VENV)/.docs-ready
BENCH := .bench-venv
BENCH_READY := $(BENCH)/.ready
DIST := .dist-venv
DIST_READY := $(DIST)/.ready
OLDEST := .oldest-venv
OLDEST_READY := $(OLDEST)/.ready
AUDIT := .audit-venv
AUDIT_READY := $(AUDIT)/.ready
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
PYTEST_BROWSER := $(BIN)/python -m pytest -n 2 --dist loadfile
NATIVE := $(wildcard textclust/native/*.pyx textclust/native/*.h)

# Installs Chromium where that is possible, or says what to install.
define HAVE_CHROMIUM
@if [ -z "$$CHROMIUM" ] && ! command -v chromium >/dev/null; then \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq chromium >/dev/null; \
	else echo "No Chromium: install the package chromium, or set CHROMIUM to the path of one." >&2; exit 1; fi; fi
endef

.PHONY: demo test test-browser test-site screens torture torture-quick torture-mutants torture-sanitized properties \
	sanitized lint audit bench bench-quality bench-quick docs reference gallery notebooks results dist oldest clean

demo: $(READY)
	cd corpora && ../$(BIN)/textclust cluster newsgroups/ --k 3 --out ../demo-out
	@echo "The report is in demo-out/report.html"

test: lint
	$(PYTEST)

# The workbench in Chromium, which Debian's package chromium brings; CHROMIUM may name another one.
# What measures runs alone, and prints its figures.
test-browser: $(BROWSER_READY)
	$(HAVE_CHROMIUM)
	$(PYTEST_BROWSER) tests/browser --ignore tests/browser/test_size.py --ignore tests/browser/test_site.py
	$(BIN)/python -m pytest -s tests/browser/test_size.py

# The documentation site and a report in Chromium, read from the disk: accessibility and search.
test-site: docs $(BROWSER_READY)
	$(HAVE_CHROMIUM)
	$(BIN)/python -m pytest tests/browser/test_site.py

# Pictures of every view for the documentation.
screens: $(BROWSER_READY)
	$(HAVE_CHROMIUM)
	$(BIN)/python -m tests.browser.screens docs/workbench

# Random inputs, damage, kills and full disks for TIME; a run goes on from the last one with its SEED.
# What fails is kept in .torture/failures, and repeated by `python -m tests.torture --again FILE`.
TIME ?= 60m
SEED ?= 0
torture: $(READY)
	$(BIN)/python -m tests.torture --time $(TIME) --seed $(SEED)

# The same tries on every machine, about two minutes of them on two processors; what twenty minutes are
# not enough for is said, and a failure.
torture-quick: $(READY)
	$(BIN)/python -m tests.torture --quick --time 20m --seed 0 --out .torture/quick --afresh

# That it finds faults: the fixes of some are taken out, one after another.
torture-mutants: $(READY)
	$(BIN)/python -m tests.torture --mutants --time 5m

# The properties on twenty times as many random inputs.
properties: $(READY)
	HYPOTHESIS_PROFILE=properties $(PYTEST) --timeout 0

# The native core with AddressSanitizer and UBSan, in a copy of its own: what they report fails a test.
# SANITIZE runs any other command in that copy, with the sanitizers there.
SANITIZED := .sanitized
SANITIZE := cd $(SANITIZED) && env LD_PRELOAD="$$(for each in libasan libubsan libstdc++; do printf '%s ' "$$($(CC) -print-file-name=$$each.so)"; done)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 ../$(BIN)/python
# The Python of today around the core, which takes minutes to build: ours but for the usual core.
define FRESH
tar -c --exclude '*.so' --exclude __pycache__ textclust tests | tar -x -C $(SANITIZED)
cp -r cli/. $(SANITIZED)/textclust/cli
endef
sanitized: $(SANITIZED)/.ready
	$(FRESH)
	$(SANITIZE) -m pytest -n 0 -p no:cacheprovider --timeout 0 tests/text tests/geometry tests/native

# What reads, counts and assigns, with that core.
torture-sanitized: $(SANITIZED)/.ready
	$(FRESH)
	$(SANITIZE) -m tests.torture --time $(TIME) --seed $(SEED) --unbounded --only readers core malformed

$(SANITIZED)/.ready: $(READY) $(NATIVE)
	rm -rf $(SANITIZED)
	$(BIN)/python -m pip install -qq --target $(SANITIZED)/tools 'setuptools>=77' 'cython>=3.0.11'
	PYTHONPATH=$(SANITIZED)/tools CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined" \
		$(BIN)/python setup.py -q build --build-base $(SANITIZED)/build --build-lib $(SANITIZED)
	cp -r pyproject.toml tests corpora docs $(SANITIZED)
	touch $@

# pytest keeps the test files it has compiled, so that the next run collects them sooner.
test properties: export PYTHONDONTWRITEBYTECODE =

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs textclust cli

# Known faults of what we depend on. It asks a public register of them, so it is not part of `lint`:
# where that does not answer, it fails.
audit: $(READY) $(AUDIT_READY)
	$(AUDIT)/bin/pip-audit --strict --skip-editable --progress-spinner off \
		--path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

bench: $(BENCH_READY)
	$(BENCH)/bin/python -m benchmarks --write

# Beside other tools, each in an environment of its own, of 1.5 GB for some: an hour or more. What
# was measured is kept, so that it can be stopped and goes on from there.
bench-quality: $(BENCH_READY)
	$(BENCH)/bin/python -m benchmarks.quality --write

# In the environment of the peers where there is one: it needs none of them.
bench-quick: $(if $(wildcard $(BENCH_READY)),$(BENCH_READY),$(READY))
	$(<D)/bin/python -m benchmarks --quick

# The documentation as a site for the browser. Links, anchors and what it loads are checked; with
# --quiet mkdocs would count no warning, and --strict would find none.
docs: reference $(DOCS_READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python docs/making/outside.py site
	@echo "The documentation is in site/index.html"

# The pages that are made from the code.
reference: $(READY)
	$(BIN)/python -m textclust.cli.reference > docs/cli.md
	$(BIN)/python -m textclust.cli.method_table > docs/methods.md
	$(BIN)/python -m textclust.cli.model_format > docs/model-format.md

# The pictures of docs/gallery.md, drawn by the code on that page.
gallery: $(READY)
	$(BIN)/python docs/making/gallery.py

# The notebooks, run anew with what they show.
notebooks: $(READY)
	$(BIN)/python -m tests.notebooks docs/notebooks/*.ipynb

# Hours where nothing is done yet; it can be stopped, and goes on from there.
results: $(READY)
	$(BIN)/python -m textclust.experiments.page --names | xargs -I{} $(BIN)/textclust reproduce {} --jobs 2 --out reproduced
	$(BIN)/python -m textclust.experiments.page reproduced docs/results.md

# An sdist, and from it a wheel for this machine, checked and tried in an environment of its own.
dist: $(DIST_READY)
	rm -rf dist build *.egg-info
	TEXTCLUST_BUILD_NATIVE=required $(DIST)/bin/python -m build --outdir dist
	$(DIST)/bin/twine check --strict dist/*
	$(DIST)/bin/python -m tests.packages dist

# The tests with the oldest libraries that pyproject.toml allows; TESTS=tests/engine for some of them.
oldest: $(OLDEST_READY)
	$(OLDEST)/bin/python -m pytest -n auto --dist worksteal $(TESTS)

clean:
	rm -rf $(VENV) $(BENCH) $(DIST) $(OLDEST) $(AUDIT) $(SANITIZED) demo-out dist build site *.egg-info textclust/native/*.so

$(READY): pyproject.toml setup.py $(NATIVE)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --upgrade pip
	$(BIN)/python -m pip install -qq --editable '.[test]'
	$(BIN)/python -m compileall -q textclust cli corpora
	touch $(READY)

$(BROWSER_READY): $(READY)
	$(BIN)/python -m pip install -qq --editable '.[test-browser]'
	touch $(BROWSER_READY)

$(DOCS_READY): $(READY)
	$(BIN)/python -m pip install -qq --editable '.[docs]'
	touch $(DOCS_READY)

$(BENCH_READY): pyproject.toml setup.py benchmarks/requirements.txt $(NATIVE)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install -qq --upgrade pip
	$(BENCH)/bin/python -m pip install -qq --editable '.[distributed,fast]'
	$(BENCH)/bin/python -m compileall -q textclust cli corpora
	$(BENCH)/bin/python -m benchmarks.environment
	touch $(BENCH_READY)

$(DIST_READY): Makefile
	$(PYTHON) -m venv $(DIST)
	$(DIST)/bin/python -m pip install -qq 'build>=1.2' 'twine>=6.1'
	touch $(DIST_READY)

$(AUDIT_READY): Makefile
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/python -m pip install -qq 'pip-audit>=2.7'
	touch $(AUDIT_READY)

$(OLDEST_READY): pyproject.toml setup.py $(NATIVE)
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install -qq 'uv>=0.5'
	$(OLDEST)/bin/uv pip install -q --python $(OLDEST)/bin/python --resolution lowest-direct --editable '.[test]'
	touch $(OLDEST_READY)
