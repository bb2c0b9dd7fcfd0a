-- Rights of portal_web, the role of web, workers and beat, in one database of the site. As the superuser:
--   psql --dbname portal --file deploy/database_rights.sql
-- Rights belong to a database: run it in each new one, also before a backup is restored into it. It can be run again.
-- --set owner=ROLE: the role that runs migrate, if it is not portal_owner
\set ON_ERROR_STOP on
\if :{?owner}
\else
  \set owner portal_owner
\endif
BEGIN;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT CREATE, USAGE ON SCHEMA public TO :"owner";
GRANT USAGE ON SCHEMA public TO portal_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO portal_web;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO portal_web;
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO portal_web;
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO portal_web;
COMMIT;
