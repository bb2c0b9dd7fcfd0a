"""Rehearsal of an upgrade without downtime: two releases side by side on one migrated database. It needs no Django."""
