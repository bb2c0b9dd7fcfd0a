"""Reports of errors to Sentry."""

import json
import os
import subprocess
import sys

from django.conf import settings

FAILING_SITE = """
import json, logging, sys, types
import django, sentry_sdk
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import path

def fail(request, code):
    mail = request.GET["mail"]
    logging.getLogger("ratings").warning("a line before, of %s", mail)
    logging.getLogger("ratings").error("cannot write to %s", mail, extra={"mail": mail})
    raise ValueError(f"Cannot write to <{mail}>\\nDETAIL:  Failing row contains (Ada).")

class Transport(sentry_sdk.transport.Transport):
    def capture_envelope(self, envelope):
        if event := envelope.get_event():
            print(json.dumps(event, default=str))

urls = sys.modules["failing_urls"] = types.ModuleType("failing_urls")
urls.urlpatterns = [path("secret/<slug:code>/", fail)]
urls.handler500 = lambda request: HttpResponse(status=500)
django.setup()
settings.ROOT_URLCONF = "failing_urls"
settings.MIDDLEWARE = settings.MIDDLEWARE[:1]  # the ids of requests
application = WSGIHandler()
sentry_sdk.get_client().transport = Transport()
headers = {"Referer": "http://localhost/?q=person@example.org", "X-Request-Id": "0b6f7a3c9d1e4f52a8b7c6d5e4f3a2b1"}
request = RequestFactory().get("/secret/code-of-a-link/?mail=person@example.org", headers=headers)
application(request.environ, lambda *arguments: None)
"""


def test_events_have_no_personal_data():
    own = os.environ | {"SENTRY_DSN": "http://key@127.0.0.1:9/1", "DJANGO_SETTINGS_MODULE": "portal.settings"}
    done = subprocess.run(
        [sys.executable, "-c", FAILING_SITE], check=True, capture_output=True, text=True, cwd=settings.BASE_DIR,
        env=own | {"DEBUG": "0", "REDIS_URL": ""},
    )  # fmt: skip
    line, error = map(json.loads, done.stdout.splitlines())
    for secret in ("person", "example.org", "code-of-a-link", "Ada", "a line before"):
        assert secret not in done.stdout
    assert {each["request"]["method"] for each in (line, error)} == {"GET"}
    assert [set(each) & {"user", "breadcrumbs", "server_name"} for each in (line, error)] == [{"server_name"}] * 2
    assert line["logentry"] == {"message": "cannot write to %s"}
    (value,) = error["exception"]["values"]
    assert (value["type"], value["value"]) == ("ValueError", "Cannot write to <…@…>")
    assert [frame for frame in value["stacktrace"]["frames"] if "vars" in frame] == []
    assert error["tags"] == {"request_id": "0b6f7a3c9d1e4f52a8b7c6d5e4f3a2b1"}
    assert error["transaction"] == "/secret/{code}/"
