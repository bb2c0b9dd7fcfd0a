import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
os.environ.setdefault("WEB_PROCESS", "1")  # POOLER_URL is for the web only
os.environ.setdefault("STATEMENT_SECONDS", "15")  # a slow page fails long before a proxy or a visitor gives up
os.environ.setdefault("BROKER_SECONDS", "1")
application = get_wsgi_application()
# import what the first requests would otherwise wait for: all views, and scipy for performances
get_resolver().url_patterns  # noqa: B018 - reading it imports all views
import_module("scipy.optimize")
# redis has circular imports: two requests that import it at the same time would fail
for client in ("redis", "django_redis.client", "kombu.transport.redis"):
    import_module(client)
# a page creates thousands of short-lived objects: collecting cycles after every 700 took a third of its time
gc.freeze()
gc.set_threshold(50_000, 20, 20)
