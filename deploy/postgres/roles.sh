#!/bin/sh
# Makes the role portal_web, with the password WEB_DATABASE_PASSWORD, and gives it its rights in POSTGRES_DB, or in another
# DATABASE. The image of PostgreSQL runs this for a new volume. It can be run again, for an older volume or a restore:
#   docker compose exec database sh /docker-entrypoint-initdb.d/roles.sh
set -eu
sql() { psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "${DATABASE:-$POSTGRES_DB}" --set owner="$POSTGRES_USER"; }
# psql reads the password from the environment, so that lists of processes do not show it
sql <<'SQL'
\set password `printenv WEB_DATABASE_PASSWORD`
SELECT 'CREATE ROLE portal_web LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'portal_web') \gexec
ALTER ROLE portal_web PASSWORD :'password';
SQL
sql < "${RIGHTS:-/portal/database_rights.sql}"
