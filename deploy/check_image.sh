#!/usr/bin/env bash
# Builds the image of the Dockerfile on a Debian machine without a Docker daemon, as root, and starts programs of it
# (needs buildah and debootstrap). Where the registry of images cannot be reached, the base is Debian's own Python 3.11
# instead of the image python:3.11-slim-bookworm: the same release of Debian, and the same steps after it.
# Exits with 77 and a line “skipped: …” where this machine cannot build any image.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "only root can build the image"
for tool in buildah debootstrap; do command -v $tool >/dev/null || skip "$tool is not installed"; done
git -c safe.directory="$PWD" ls-files >/dev/null 2>&1 || skip "the code is no git checkout"
unshare --mount true 2>/dev/null || skip "this machine does not let root mount file systems"

work=$(mktemp -d)
trap 'buildah --root "$work/images" --runroot "$work/run" rm --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
builder() { buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$@"; }
export BUILDAH_ISOLATION=chroot
base=$(sed -n 's/^FROM //p' Dockerfile)

if ! builder pull --quiet "docker.io/library/$base" 2>/dev/null; then
  echo "== $base cannot be fetched: Debian's Python 3.11 instead"
  root=${BASE_ROOT:-$work/root}
  [ -d "$root" ] || debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root" >/dev/null ||
    skip "neither $base nor Debian's packages for it can be fetched"
  ln -sf python3 "$root/usr/bin/python"
  # how this machine reaches the registries of packages
  cp --remove-destination /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
  container=$(builder from scratch)
  builder add --quiet "$container" "$root" / >/dev/null
  [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || builder config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  builder commit --quiet "$container" "docker.io/library/$base" >/dev/null
fi

container=$(builder from --pull=never "docker.io/library/$base")
builder run --network host "$container" -- sh -c 'apt-get update -qq && python -m venv /tmp/try &&
  /tmp/try/bin/pip download --quiet --no-deps --dest /tmp/try asgiref' || skip "packages cannot be fetched from within an image"
builder rm "$container" >/dev/null

echo "== the steps of the Dockerfile"
# a copy of the tracked files: others may come and go meanwhile
mkdir "$work/context"
git -c safe.directory="$PWD" ls-files -z | tar --create --null --files-from - | tar --extract --directory "$work/context"
builder build --pull=never --network host --tag portal --file Dockerfile "$work/context"
rm -r "$work/context"

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
