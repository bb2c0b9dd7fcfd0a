import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
application = get_wsgi_application()
# what the first visitors of each kind of page would wait for: all views, and scipy for performances
get_resolver().url_patterns  # noqa: B018 - read for what it loads
import_module("scipy.optimize")
# a page makes thousands of short-lived objects: looking for cycles after every 700 of them took a third of its time
gc.freeze()
gc.set_threshold(50_000, 20, 20)
