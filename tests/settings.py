"""The project's settings for tests: the same, but quick to hash and quiet."""

import os
import tempfile

os.environ.setdefault("SECRET_KEY", "tests")

from portal.settings import *  # noqa: F403 - all settings but those below

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405 - whitenoise warns where it is missing

# tasks run in the test itself; the tests of a real worker switch that off and start a broker here
REDIS_URL = CELERY_BROKER_URL = f"redis+socket://{tempfile.gettempdir()}/portal-tests-{os.getpid()}/redis.sock"
CELERY_TASK_ALWAYS_EAGER = True
WEBHOOKS_IN_THREAD = False
MAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

if DATABASES["default"]["ENGINE"] == "ratings.postgres":  # noqa: F405
    # the rows of tests need not outlive a crash of the server, so that no commit waits for the disk
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"  # noqa: F405
else:
    # the tables of the models, which the migrations make too (tests/test_migrations.py), in a twentieth of the time
    DATABASES["default"]["TEST"] = {"MIGRATE": False}  # noqa: F405

SECURITY_CONTACT = "mailto:security@example.org"
SECOND_FACTOR = False  # its own tests switch it on
SIGN_IN_AGAIN = False  # likewise
USERSESSIONS_TRACK_ACTIVITY = False  # written with every request; likewise
ACCOUNT_RATE_LIMITS = False  # tests log in often; the test of the limits gives them back

if os.environ.get("COUNT_READS") == "1":
    # a request that reads rows one by one fails its test; comparing players reads up to five of them so
    INSTALLED_APPS = [*INSTALLED_APPS, "zeal"]  # noqa: F405
    MIDDLEWARE = ["zeal.middleware.zeal_middleware", *MIDDLEWARE]  # noqa: F405
    ZEAL_NPLUSONE_THRESHOLD = 6
    # django-import-export reads the row of each line of a file
    ZEAL_ALLOWLIST = [{"model": f"ratings.{name}", "field": "get()"} for name in ("Player", "Club")]
