"""Settings of the web processes in two checkouts: those of a real site, without collected static files."""

from portal.settings import *  # noqa: F403 - all settings but those below

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
PAGE_CACHE_SECONDS = 60  # longer than a busy machine takes for the requests of the test
