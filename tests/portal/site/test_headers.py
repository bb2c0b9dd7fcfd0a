"""Security headers of everything that is sent, graded by the criteria of the HTTP Observatory."""

import re
from pathlib import Path

import pytest
from django.conf import settings as real_settings
from django.http import HttpResponse
from django.test import Client

from tests.observatory import BEST, directives, score
from tests.pages import addresses

FINE = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Strict-Transport-Security": "max-age=31536000",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.mark.parametrize(
    ("header", "value", "points"),
    [
        # of the 130, by the score table of the Observatory
        ("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'", 125),
        ("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'", 80),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'", 120),
        ("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-eval'; frame-ancestors 'none'", 110),
        ("Content-Security-Policy", None, 55),  # -25, and -20 for framing
        ("Strict-Transport-Security", None, 80),
        ("Strict-Transport-Security", "max-age=3600", 120),
        ("Referrer-Policy", "unsafe-url", 120),
        ("X-Content-Type-Options", None, 125),
        ("Cross-Origin-Resource-Policy", None, 120),
    ],
)
def test_grading_takes_off_what_the_observatory_does(header, value, points):
    headers = FINE | {header: value}
    assert score(HttpResponse(headers={name: given for name, given in headers.items() if given})) == points


@pytest.mark.parametrize(
    ("flags", "points"),
    [
        ({"secure": True, "httponly": True, "samesite": "Lax"}, 135),
        ({"secure": True, "httponly": False, "samesite": "Lax"}, 100 - 30),
        ({"secure": False, "httponly": True, "samesite": "Lax"}, 120),
    ],
)
def test_grading_looks_at_cookies(flags, points):
    response = HttpResponse(headers=FINE)
    response.set_cookie("sessionid", "x", **flags)
    assert score(response) == points


@pytest.fixture
def https(settings):
    """As where HTTPS=1 is set; the middleware reads it when it is made, with the client."""
    settings.HTTPS = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 31536000
    settings.SECURE_SSL_REDIRECT = True
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    return Client(raise_request_exception=False)


@pytest.mark.django_db
def test_everything_has_the_best_grade(https, hostile, monkeypatch):
    asked = addresses("page", "file", "form", "own", "frame") | {
        name: f"/{name}" for name in ("nothing/", "players/%00/", "accounts/login/", "accounts/signup/",
                                      "accounts/password/reset/", "admin/", "organise/")
    }  # fmt: skip
    scores = {}
    for name, address in asked.items():
        response = https.get(address, secure=True)
        scores[name] = score(response) - (5 if response.cookies else 0)
    static = https.head("/static/portal/base.css", secure=True)
    assert (static.status_code, score(static)) == (200, BEST)
    monkeypatch.setattr("portal.site.views.privacy.render", None)
    broken = https.get("/privacy/", secure=True)
    assert (broken.status_code, score(broken)) == (500, BEST)
    # an SVG of its own has inline styles, and nothing else that could run or be fetched
    pictures = dict.fromkeys(("statistics_chart", "rule_effects_chart"), 10)
    graphs = (f"{name}_graph{format}" for name in ("player", "versus", "compare") for format in ("", " csv"))
    pictures |= dict.fromkeys(graphs, 10)
    # other sites show these
    pictures |= {"player_badge": 20, "embedded_list": 10}
    assert scores == {name: BEST - pictures.get(name, 0) for name in asked}
    assert https.get("/privacy/").headers["Location"] == "https://testserver/privacy/"


@pytest.mark.django_db
def test_pages_of_staff_have_the_best_grade(https, staff, client):
    https.force_login(staff)
    for address in (
        "/admin/",
        "/admin/ratings/player/",
        "/organise/",
        "/organise/queue/",
        "/accounts/email/",
        "/accounts/2fa/",
    ):
        response = https.get(address, secure=True)
        assert (address, response.status_code, score(response) - (5 if response.cookies else 0)) == (address, 200, BEST)


@pytest.mark.django_db
def test_content_security_policy_allows_own_files_only(client):
    response = client.get("/privacy/")
    none, own = {"'none'"}, {"'self'"}
    assert directives(response) == {
        "default-src": none, "script-src": own, "style-src": own, "img-src": {"'self'", "data:"}, "connect-src": own,
        "font-src": own, "manifest-src": own, "object-src": none, "frame-ancestors": none, "form-action": own,
        "base-uri": none, "worker-src": own,
    }  # fmt: skip
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    rules = dict(part.split("=") for part in response["Permissions-Policy"].split(", "))
    own = {"publickey-credentials-create", "publickey-credentials-get"}  # passkeys
    assert {name for name, who in rules.items() if who == "(self)"} == own
    assert {who for name, who in rules.items() if name not in own} == {"()"}


DOWNLOADED = {"personal_data_file.html"}
"""Templates of files that are saved and opened from the reader's disk: no header and no style sheet reaches them."""


def test_templates_have_nothing_inline():
    """No script or style within a page, and no attribute that holds one: the policy would not let it run."""
    inline = re.compile(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", re.IGNORECASE)
    templates = [
        path for path in Path(real_settings.BASE_DIR, "templates").rglob("*.html") if path.name not in DOWNLOADED
    ]
    assert [
        (path.name, found[0]) for path in templates if (found := inline.search(re.sub("{%.*?%}", "", path.read_text())))
    ] == []
