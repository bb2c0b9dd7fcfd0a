"""Browser for programs that use a running site as people do: cookies, forms, links. It needs no Django."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from html import unescape
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

TOKEN = "t" * 32
TIMEOUT = 60
WAITING = re.compile(r"^/lists/[\w-]+/log/")
"""Addresses that are answered 503 on purpose while their list is being rated."""
LINK = re.compile(r'(?:(?:href|action|src)="|content="https?://[^/"]+(?=[^"]*card\.png[?"]))(/[^"#]*)')


class Answer(NamedTuple):
    """Response to a request; status 0 is a refused or cut connection, with the error as its text."""

    path: str
    status: int
    text: str
    location: str = ""

    @property
    def is_failure(self) -> bool:
        """True for a connection that was refused or cut, and for an error of the server."""
        return self.status == 0 or (self.status >= 500 and not (self.status == 503 and WAITING.match(self.path)))

    def find_links(self) -> list[str]:
        """Return the addresses of this site that the page links to, each once, in order of appearance."""
        return list(dict.fromkeys(unescape(path) for path in LINK.findall(self.text)))


class Browser:
    """Browser of one person. Redirects are not followed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = {"csrftoken": TOKEN}

    def get(self, path: str) -> Answer:
        return self._ask("GET", path, None)

    def post(self, path: str, fields: Mapping[str, str | Sequence[str]]) -> Answer:
        return self._ask("POST", path, urlencode({**fields, "csrfmiddlewaretoken": TOKEN}, doseq=True))

    def sign_in(self, name: str, password: str) -> None:
        """Sign in with a user name; raise AssertionError if it fails."""
        answer = self.post("/accounts/login/", {"login": name, "password": password})
        if answer.status != 302 or "sessionid" not in self.cookies:
            raise AssertionError(f"{name} could not sign in: {answer.status}")

    def _ask(self, method: str, path: str, body: str | None) -> Answer:
        headers = {"Accept-Encoding": "gzip"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if body is not None or "sessionid" in self.cookies:  # anonymous visitors who only read send no cookies
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            with closing(HTTPConnection(self.address, timeout=TIMEOUT)) as link:
                link.request(method, path, body, headers)
                response = link.getresponse()
                data = response.read()
        except (OSError, HTTPException) as error:
            return Answer(path, 0, f"{type(error).__name__}: {error}")
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        self.cookies["csrftoken"] = TOKEN
        if response.headers.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        location = urlsplit(response.headers.get("Location", ""))
        return Answer(path, response.status, data.decode(errors="replace"), location.path)


class Fields(HTMLParser):
    """Parser of the fields of a page's forms with their values, as a browser would send them."""

    def __init__(self, form: str | None, *, disabled: bool) -> None:
        super().__init__()
        self.form, self.with_disabled = form, disabled
        self.values: dict[str, str] = {}
        self.inside = form is None
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form" and self.form is not None:
            self.inside = given.get("id") == self.form
        if not self.inside or ("disabled" in given and not self.with_disabled):
            return
        name = given.get("name") or ""
        if tag == "input" and name and (given.get("type") not in {"checkbox", "radio"} or "checked" in given):
            self.values[name] = given.get("value") or ("on" if given.get("type") == "checkbox" else "")
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and (self.select not in self.values or "selected" in given):
            self.values[self.select] = given.get("value") or ""
        elif tag == "textarea" and name:
            self.area, self.values[name] = name, ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self.form is not None:
            self.inside = False
        elif tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.area = ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.values[self.area] += data


def fields_of(page: str, form: str | None = None, *, disabled: bool = False) -> dict[str, str]:
    """Return the fields of a form by its id, or of all forms of a page, without the token; disabled ones if asked."""
    parser = Fields(form, disabled=disabled)
    parser.feed(page)
    return {name: text for name, text in parser.values.items() if name != "csrfmiddlewaretoken"}
