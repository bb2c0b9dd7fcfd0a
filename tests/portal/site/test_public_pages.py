"""Properties of all public pages, with hostile names and parameters."""

import csv
import io
import json
import zipfile
from html.parser import HTMLParser

import pytest
from defusedxml import ElementTree
from django.db import transaction
from django.test import Client
from icalendar import Calendar
from openpyxl import load_workbook

from tests.factories import rate_every_list
from tests.hostile import FAMILY, GIVEN, make_hostile_site
from tests.pages import PAGES, addresses, public_names
from tests.portal.pdf.read import pages as pages_of_pdf
from tests.shared import built_once
from tests.thorough import take_share_of

pytestmark = pytest.mark.django_db

NAMES = ("page", "p", "on", "since", "from", "to", "year", "q", "list", "lang", "sort", "country", "club", "grade", "active",
         "games", "with", "player", "add", "range", "theme", "rows", "game-0-rating", "game-0-score", "limit", "offset", "category", "age", "format", "per_page")  # fmt: skip
ODD = (
    "page=abc", "page=99999", "page=-1", "p=abc", "p=99999", "on=1492-01-01", "on=2026-13-45", "q=%00", "sort=nothing", "list=unknown",
    "sort=name&sort=-rating&list=fesa&list=twin", "unknown=1&[]=1&a[b]=2&=&&&",
    *("&".join(f"{name}={odd}" for name in NAMES) for odd in (
        "abc", "99999", "-1", "1492-01-01", "%00", "1e999", "99999999999999999999", "[](){}^$*%25_%27%22%3Cb", "%FF%FE",
        "%F0%9F%98%80")),
    f"q={'a' * 10_000}&page={'9' * 5000}&list={'x' * 1000}",
)  # fmt: skip
"""Alone, so that nothing that is wrong before hides it, and all together."""


@pytest.fixture(scope="module")
def hostile(django_db_setup, django_db_blocker):
    """The site with hostile names, made once: no test of this module has another one."""
    with built_once(django_db_blocker):
        yield make_hostile_site(rate_every_list)


@pytest.fixture(scope="module")
def answers(hostile, django_db_blocker):
    """Responses of all public addresses to a visitor, by kind and name of the page; asked once for all tests."""
    found = {}
    with django_db_blocker.unblock(), transaction.atomic():
        for kind in ("page", "file", "form", "own"):
            for name, address in addresses(kind).items():
                browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
                found.setdefault(kind, {})[name] = browser.get(address)
        transaction.set_rollback(True)
    return found


@pytest.fixture
def visitor():
    """A browser nobody is logged in at, whose forms are checked; errors come as answers."""
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def test_every_public_address_is_among_the_pages():
    assert public_names() == {name.split()[0] for name in PAGES}


class Parts(HTMLParser):
    """Parser that collects scripts and elements which come from a name."""

    def __init__(self, content):
        super().__init__()
        self.found = []
        self.feed(content)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        runs = tag == "script" and "src" not in given and given.get("type") != "application/json"
        if runs or tag in ("u", "style") or any(name == "style" or name.startswith("on") for name in given):
            self.found.append(self.get_starttag_text())


def test_names_are_never_a_part_of_a_page(answers):
    actual = {}
    for name, response in (answers["page"] | answers["form"]).items():
        content = response.content.decode()
        assert (name, response.status_code, Parts(content).found) == (name, 200, [])
        assert [raw in content for raw in (FAMILY, GIVEN)] == [False, False], name
        actual[name] = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;" in content
    assert {name for name, is_escaped in actual.items() if not is_escaped} == set()  # the only list is not named there


def all_texts(body):
    """Return all texts of an XML file."""
    return "".join(ElementTree.fromstring(body).itertext())


def test_names_leave_files_well_formed(answers):
    files = answers["file"]
    checks = {
        "suggest": lambda body: str(json.loads(body)["suggestions"]),
        "promotion_feed": lambda body: ElementTree.fromstring(body)[-1].findtext("{*}title"),
        "event_feed": lambda body: ElementTree.fromstring(body)[-1].findtext("{*}title"),
        **dict.fromkeys(("player_feed", "club_feed", "steps_feed", "published_feed", "player_badge"), all_texts),
        "correction_feed": lambda body: "".join(ElementTree.fromstring(body).itertext()),
        "history": lambda body: str([one["name"] for one in json.loads(body)["players"]]),
        **dict.fromkeys(
            ("player_history", "player_graph csv", "versus_graph csv", "compare_graph csv"),
            lambda body: str(list(csv.reader(io.StringIO(body.decode())))),
        ),
        "list_file csv": lambda body: str(list(csv.reader(io.StringIO(body.decode())))),
        "roster_file csv": lambda body: str(list(csv.reader(io.StringIO(body.decode())))),
        "roster_file json": lambda body: str(json.loads(body)),
        "dated_file": lambda body: str(list(csv.reader(io.StringIO(body.decode())))),
        "list_file txt": lambda body: body.decode("latin-1"),
        "list_file xlsx": lambda body: str([*load_workbook(io.BytesIO(body)).active.values]),
        "list_file json": lambda body: str(json.loads(body)),
        "table_file csv": lambda body: str(list(csv.reader(io.StringIO(body.decode())))),
        "table_file xlsx": lambda body: str([*load_workbook(io.BytesIO(body)).active.values]),
        "table_file grid": lambda body: body.decode("latin-1"),
        "table_file published": lambda body: body.decode("latin-1"),
        "certificate_file": lambda body: " ".join(pages_of_pdf(body)),
        "proposal_feed": lambda body: " ".join(ElementTree.fromstring(body).itertext()),
        "rule_effects_file": lambda body: str(list(csv.reader(io.StringIO(body.decode())))),
        "log_export": lambda body: str(json.loads(zipfile.ZipFile(io.BytesIO(body)).read("history.json"))),
        "calendar_feed": lambda body: str(Calendar.from_ical(body).walk("VEVENT")[0]["summary"]),
    }  # fmt: skip
    cards = {name for name, page in PAGES.items() if name.endswith("_card") and page.kind == "file"}
    pictures = cards | {
        "crest svg",
        "crest png",
        "player_graph",
        "versus_graph",
        "compare_graph",
        "statistics_chart",
        "rule_effects_chart",
    }
    without_names = pictures | {
        "correction_feed",
        "log_text",
        "log_keys",
        "log_leaves",
        "dated_checkpoint",
        "witnessed_logs",
        "player_proof_file",
        "list_health_file",
        "digest",
        "robots",
        "sitemap_index",
        "sitemap",
        "health",
        "favicon",
        "security_txt",
    }
    assert set(files) == set(checks) | without_names
    for name, check in checks.items():
        assert (name, FAMILY in check(files[name].content)) == (name, True)
    for name in ("sitemap_index", "sitemap", "player_graph", "versus_graph", "compare_graph", "statistics_chart"):
        ElementTree.fromstring(files[name].content)
    assert zipfile.is_zipfile(io.BytesIO(files["table_file xlsx"].content))


def test_odd_parameters_are_answered(visitor, hostile):
    wrong = []
    for number, (name, address) in enumerate(addresses("page", "file", "form", "own", "frame").items()):
        if name == "health":
            continue
        for odd in take_share_of(ODD, number, len(ODD)):
            response = visitor.get(f"{address.partition('?')[0]}?{odd}")
            if response.status_code not in (200, 301, 302, 400, 404):
                wrong.append((name, odd[:40], response.status_code))
    assert wrong == []


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_change_nothing(method, visitor, hostile):
    """Each address is tried with one of the methods, or with all of them by THOROUGH=1."""
    number = ("post", "put", "patch", "delete").index(method)
    known = take_share_of(addresses("page", "file", "form", "own", "frame").items(), number, 4)
    answers = {name: getattr(visitor, method)(address).status_code for name, address in known}
    assert {name: status for name, status in answers.items() if status not in (403, 405)} == {}


def test_head_and_options_are_answered(visitor, hostile):
    known = addresses("page", "file", "form", "frame")
    del known["health"]
    heads, options = (dict(take_share_of(known.items(), number, 3)) for number in (0, 1))
    assert {name: visitor.head(address).status_code for name, address in heads.items()} == dict.fromkeys(heads, 200)
    assert {visitor.options(address).status_code for address in options.values()} <= {200, 405}


@pytest.mark.parametrize("odd", ["%00", "[x]", "%F0%9F%98%80", "%FF", "a" * 2000, "1492-01-01", "2026-13-45", "..", "%2E%2E%2Fsettings"])  # fmt: skip
def test_odd_addresses_are_404(odd, visitor, hostile):
    for kind in ("lists", "players", "events", "clubs", "certificates", "reports", "report/players", "lists/fesa/dated",
                 f"players/{hostile.public_id}", "lists/fesa", "nothing"):  # fmt: skip
        assert (kind, visitor.get(f"/{kind}/{odd}/").status_code) == (kind, 404)


def test_reading_sets_no_cookie(answers):
    read = answers["page"] | answers["file"] | answers["own"]
    assert {name: sorted(response.cookies) for name, response in read.items() if response.cookies} == {}
    assert {name: sorted(response.cookies) for name, response in answers["form"].items()} == {
        "new_report": ["csrftoken"],
        "tournament": ["csrftoken"],
        "lookup": ["csrftoken"],
        "enter_event": ["csrftoken"],
        "own_entry": ["csrftoken"],
    }


def test_vary_header_names_what_a_page_depends_on(answers):
    for name, response in answers["page"].items():
        depends = {part.strip() for part in response["Vary"].split(",")}
        assert (name, depends, response.get("Cache-Control")) == (name, {"Accept-Encoding", "Accept-Language", "Cookie"}, None)  # fmt: skip


def test_log_in_of_a_visitor_costs_no_query(visitor, hostile, django_assert_num_queries):
    with django_assert_num_queries(1):  # the lists of the navigation
        visitor.get("/privacy/")


def test_pages_are_sent_compressed(visitor, hostile):
    page = visitor.get("/lists/fesa/rules/", headers={"accept-encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert len(page.content) < 60_000


def test_compressed_files_are_asked_for_again_by_their_etag(visitor, hostile):
    first = visitor.get("/lists/fesa/history.json", headers={"accept-encoding": "gzip"})
    assert (first["Content-Encoding"], first["ETag"][:3]) == ("gzip", 'W/"')
    headers = {"accept-encoding": "gzip", "if-none-match": first["ETag"]}
    assert visitor.get("/lists/fesa/history.json", headers=headers).status_code == 304
