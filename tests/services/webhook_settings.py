"""Settings of the worker that the test of webhooks starts: it may send to programs on this machine."""

from tests.services.site_settings import *  # noqa: F403 - all settings but those below

WEBHOOKS_TO_ANY_ADDRESS = True
