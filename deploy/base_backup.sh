#!/bin/sh
# Makes a base backup of PostgreSQL in FOLDER, keeps the latest KEEP (14), and removes from FOLDER/wal what is older than the
# oldest of them. Usage: base_backup.sh FOLDER [KEEP], as the user postgres.
set -eu
folder=$1
keep=${2:-14}
PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)"

rm -rf "$folder"/base-*.part
new="$folder/base-$(date -u +%Y-%m-%dT%H%M%SZ)"
pg_basebackup --pgdata="$new.part" --format=tar --gzip --checkpoint=fast
mv "$new.part" "$new" # a folder without .part is complete
ls -d "$folder"/base-*Z | head -n "-$keep" | xargs --no-run-if-empty rm -r

oldest=$(ls -d "$folder"/base-*Z | head -n 1)
first=$(tar -xzOf "$oldest/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p')
pg_archivecleanup "$folder/wal" "$first"
