"""Score of Mozilla's HTTP Observatory for the headers of a response.

Criteria and figures: @mdn/mdn-http-observatory 1.4.8 (algorithm 4), src/grader/charts.js and src/analyzer/tests/.
Left out: the redirection from HTTP and integrity of scripts from elsewhere (there are none), and the extra 5 of
browsers' preload lists.
"""

import re
from http.cookies import SimpleCookie

START = 100
HALF_A_YEAR = 15_768_000
PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
UNSAFE = {"'unsafe-inline'", "'unsafe-eval'", "data:", "http:", "https:", "*", "blob:"}
BEST = 130
"""100, and for the policy 10, framing 5, referrer 5, other origins 10; secure cookies, where there are some, give 5."""


def score(response):
    """The sum; extra credit counts only for what would have 90 without it."""
    parts = [policy(response), framing(response), referrer(response), transport(response), sniffing(response),
             other_origins(response), cookies(response), sharing(response)]  # fmt: skip
    bare = START + sum(part for part in parts if part < 0)
    return bare + sum(part for part in parts if part > 0) if bare >= 90 else bare


def directives(response):
    written = response.get("Content-Security-Policy", "")
    return {name: set(sources) for name, *sources in (part.split() for part in written.split(";") if part.strip())}


def policy(response):
    given = directives(response)
    if not given:
        return -25
    default = given.get("default-src", {"*"})
    scripts, objects, styles = (given.get(name, default) for name in ("script-src", "object-src", "style-src"))
    if "'unsafe-eval'" in scripts | styles:
        return -10
    if (scripts | objects) & UNSAFE:
        return -20
    if styles & UNSAFE:
        return 0
    return 10 if default == {"'none'"} else 5


def framing(response):
    if directives(response).get("frame-ancestors"):
        return 5
    return 0 if response.get("X-Frame-Options", "").lower() in ("deny", "sameorigin") else -20


def referrer(response):
    given = response.get("Referrer-Policy")
    return 0 if given is None else 5 if given in PRIVATE else -5


def transport(response):
    found = re.search(r"max-age=(\d+)", response.get("Strict-Transport-Security", ""))
    return -20 if not found else 0 if int(found[1]) >= HALF_A_YEAR else -10


def sniffing(response):
    return 0 if response.get("X-Content-Type-Options") == "nosniff" else -5


def other_origins(response):
    given = response.get("Cross-Origin-Resource-Policy")
    return {None: 0, "same-origin": 10, "same-site": 10, "cross-origin": 0}.get(given, -5)


def cookies(response):
    return min((cookie(morsel) for morsel in SimpleCookie(response.cookies.output(header="")).values()), default=0)


def cookie(morsel):
    is_session = "sess" in morsel.key or "login" in morsel.key
    if not morsel["secure"]:
        return -10 if is_session else -5  # as HSTS keeps it from being sent in the open
    if is_session and not morsel["httponly"]:
        return -30
    if not morsel["samesite"]:
        return -20 if "csrf" in morsel.key else 0
    return 5


def sharing(response):
    is_open = response.get("Access-Control-Allow-Credentials") == "true"
    return -50 if is_open and response.get("Access-Control-Allow-Origin") else 0
