"""Data that many tests share."""

from contextlib import contextmanager

from django.db import transaction

from ratings.domain.site.roles import ensure_roles


@contextmanager
def built_once(django_db_blocker):
    """Keep what is built inside for all tests of a fixture's scope, each of which has a savepoint; then undo it."""
    with django_db_blocker.unblock(), transaction.atomic():
        ensure_roles()  # emptied with the tables of transactional tests
        yield
        transaction.set_rollback(True)
