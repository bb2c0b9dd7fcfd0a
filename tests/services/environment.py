"""Environment of the processes that tests start, and waiting for what these do."""

import os
import time

from django.conf import settings

from ratings.models import RatingList

OF_WEB = ("WEB_PROCESS", "STATEMENT_SECONDS")
"""Variables that `portal.wsgi` sets, which tests of the API load into this process."""


def environment():
    """Return the environment variables with the tests' database and broker for other processes."""
    database = settings.DATABASES["default"]
    place = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}".rstrip(":")
    own = {name: value for name, value in os.environ.items() if name not in OF_WEB}
    return own | {
        "DATABASE_URL": f"postgres://{place}/{database['NAME']}",
        "REDIS_URL": settings.REDIS_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "portal.settings",
    }


def eventually(check, seconds=90, state=None):
    """Wait until a check succeeds; the first worker after a change of a rule compiles it, on a busy machine for a minute."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, f"nothing happened in time: {state() if state else ''}"
        time.sleep(0.1)


def up_to_date():
    return not RatingList.objects.filter(out_of_date_from__isnull=False).exists()
