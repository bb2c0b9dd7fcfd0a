#!/bin/sh
# Writes the units of the site in /srv/NAME, whose web listens on PORT of this machine: NAME-web.service …
# Usage: install.sh [NAME] [PORT] [FOLDER]; without arguments for /srv/portal, on port 8000, into /etc/systemd/system.
set -eu
name=${1:-portal}
port=${2:-8000}
folder=${3:-/etc/systemd/system}
cd "$(dirname "$0")"
for unit in portal-*; do
  sed -e "s#/srv/portal/#/srv/$name/#g; s#/srv/portal\$#/srv/$name#; s#/run/portal-web/#/run/$name-web/#" \
    -e "s#^RuntimeDirectory=.*#RuntimeDirectory=$name-web#; s#127\.0\.0\.1:8000#127.0.0.1:$port#" \
    "$unit" >"$folder/$name${unit#portal}"
done
