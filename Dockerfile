FROM python:3.11-slim-bookworm
WORKDIR /portal
ENV PYTHONUNBUFFERED=1 PATH="/portal/.venv/bin:$PATH" NUMBA_CACHE_DIR=/portal/var/numba
# pg_dump and pg_restore for backups
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
COPY requirements.txt package.json package-lock.json ./
RUN python -m venv .venv && pip install --no-cache-dir --no-deps --require-hashes -r requirements.txt && npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN mkdir -p var/backups var/beat && pybabel --quiet compile --directory portal/locale --domain django \
 && SECRET_KEY=building python manage.py collectstatic --no-input \
 && useradd --system portal && chown -R portal var
USER portal
EXPOSE 8000
CMD ["gunicorn", "portal.wsgi", "--bind", "0.0.0.0:8000"]
