#!/usr/bin/env bash
# Builds the image of the Dockerfile on a Debian machine without a Docker daemon, as root, and starts programs of it
# (needs buildah and debootstrap). Where the registry of images cannot be reached, the base is Debian's own Python 3.11
# instead of the image python:3.11-slim-bookworm: the same release of Debian, and the same steps after it.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'buildah --root "$work/images" --runroot "$work/run" rm --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
builder() { buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$@"; }
export BUILDAH_ISOLATION=chroot
base=$(sed -n 's/^FROM //p' Dockerfile)

if ! builder pull --quiet "docker.io/library/$base" 2>/dev/null; then
  echo "== $base cannot be fetched: Debian's Python 3.11 instead"
  root=${BASE_ROOT:-$work/root}
  [ -d "$root" ] || debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root" >/dev/null
  ln -sf python3 "$root/usr/bin/python"
  # how this machine reaches the registries of packages
  cp --remove-destination /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
  container=$(builder from scratch)
  builder add --quiet "$container" "$root" / >/dev/null
  [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || builder config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  builder commit --quiet "$container" "docker.io/library/$base" >/dev/null
fi

echo "== the steps of the Dockerfile"
builder build --pull=never --network host --tag portal --file Dockerfile .

echo "== programs of the image, as its own user"
container=$(builder from portal)
run() { builder run --network host "$container" -- "$@"; }
run sh -c 'test "$(id -un)" = portal && ! touch /portal/manage.py 2>/dev/null'
run sh -c 'SECRET_KEY=checking python manage.py check'
run sh -c 'export SECRET_KEY=checking DATABASE_URL=sqlite:////tmp/a.sqlite3 && python manage.py migrate --verbosity 0 &&
  python manage.py backup var/backups && DATABASE_URL=sqlite:////tmp/b.sqlite3 python manage.py restore var/backups/*.zip'
run pg_dump --version
run gunicorn --check-config portal.wsgi
echo "== the image works"
