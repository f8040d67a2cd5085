# Four words, the same here and in CI; bare `make` is check and test. PYTHON may name another interpreter.
PYTHON ?= .venv/bin/python

.PHONY: all check test browser notebooks fix test-offline rows
all: check test

check: $(PYTHON)  ## format, lint, types, import direction, notebooks against their sources
	$(PYTHON) -m tools.check

test: $(PYTHON)  ## every test, doctest and notebook
	$(PYTHON) -m pytest --nbval -n auto --maxprocesses 4

browser:  ## every lesson in JupyterLab in a headless Chromium; SHOTS=folder keeps pictures
	python3 start.py browser

notebooks: $(PYTHON)  ## re-run every notebook from its source, in place
	$(PYTHON) -m tools.notebooks build

fix: $(PYTHON)  ## what can be mended by a program
	$(PYTHON) -m ruff check --fix --quiet .
	$(PYTHON) -m ruff format --quiet .
	$(PYTHON) -m tools.notebooks normalise

test-offline: $(PYTHON)  ## the tests once more, in a network namespace that has only loopback
	$(PYTHON) -m tools.without_network $(PYTHON) -m pytest --nbval -n auto --maxprocesses 4

rows: $(PYTHON)  ## which requirements, rules, faults and security rows have a test
	$(PYTHON) -m tools.rows

.venv/bin/python:
	python3 start.py install
