"""Settings of the processes that the tests of outages start: those of a real site, without collected static files."""

from portal.settings import *  # noqa: F403 - all settings but those below

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
SECOND_FACTOR = SIGN_IN_AGAIN = False
PAGE_CACHE_SECONDS = 2  # so that copies of pages are used soon after the database is away
