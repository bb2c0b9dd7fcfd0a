"""The project's settings for tests: the same, but quick to hash and quiet."""

import os

os.environ.setdefault("SECRET_KEY", "tests")

from portal.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405 - whitenoise warns where it is missing

# tasks run in the test itself; the tests of a real worker switch that off and need this broker
REDIS_URL = CELERY_BROKER_URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")
CELERY_TASK_ALWAYS_EAGER = True
