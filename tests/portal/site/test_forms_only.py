"""Addresses that only take forms show a page when they are opened, with a link to the page with the form."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from portal.site.views.errors import find_page
from ratings.access import ORGANISERS
from tests.factories import make_user
from tests.markup import markup
from tests.portal.results.way import person

SAMPLES = {"int": "1", "id": "1", "day": "2024-05-04", "str": "X2", "slug": "fesa"}


def list_addresses():
    """Return (name, address) of every address of the site, with sample values, and with each word of a choice."""
    resolver = get_resolver()
    for name in filter(lambda name: isinstance(name, str), resolver.reverse_dict):
        for possibilities, pattern, _defaults, converters in resolver.reverse_dict.getlist(name):
            for template, parameters in possibilities:
                values = {
                    parameter: SAMPLES[type(converters[parameter]).__name__.removesuffix("Converter").lower()
                                       .replace("string", "str")]
                    if parameter in converters
                    else "X2"
                    for parameter in parameters
                }  # fmt: skip
                choice = re.search(r"\(\?P<what>([a-z|]+)\)", pattern)
                for what in choice[1].split("|") if choice else [None]:
                    yield name, "/" + template % (values | ({"what": what} if what else {}))


@pytest.mark.django_db
def test_every_address_that_only_takes_forms_shows_a_page_with_a_link_to_its_page():
    client = Client()
    client.force_login(make_user("admin", is_staff=True, is_superuser=True))
    shown = {}
    for name, address in sorted(set(list_addresses())):
        if address.startswith("/api/") or name.endswith("logout"):
            continue
        response = client.get(address)
        if response.status_code != 405:
            continue
        page = markup(response)
        (link,) = re.findall(r'<a class="button" href="([^"]+)">Go to the page with the button</a>', page)
        assert "<h1>This address works only from a button</h1>" in page, address
        assert "admin" in page, address  # still signed in
        assert (response["Allow"], client.get(link).status_code == 405) == ("POST", False), address
        shown.setdefault(name, set()).add(link)
    expected = {"accept_several", "approval_act", "event_act", "hall_submit", "hall_tap", "language",
                "undo_event_step", "undo_merge", "undo_own_step"}  # fmt: skip
    assert expected <= shown.keys()
    assert len(shown) >= 25, shown.keys()
    assert shown["undo_event_step"] == {"/organise/events/X2/history/"}
    assert shown["event_act"] == {"/organise/events/X2/"}
    assert shown["undo_merge"] == {"/desk/"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "title"),
    [("de", "Diese Adresse funktioniert nur über eine Schaltfläche"), ("fr", "Cette adresse ne fonctionne qu’à partir d’un bouton"),
     ("ja", "このアドレスはボタンからのみ使えます")],
)  # fmt: skip
def test_page_is_translated(language, title, client):
    client.force_login(person("organiser", ORGANISERS))
    response = client.get("/organise/desk/accept/", headers={"Accept-Language": language})
    assert (response.status_code, f"<h1>{title}</h1>" in markup(response)) == (405, True)


@pytest.mark.django_db
def test_other_methods_and_the_interface_for_programs_get_no_page(client):
    assert client.put("/language/").content == b""
    assert client.head("/language/").status_code == 405
    assert client.get("/api/v1/events", headers={"Accept": "text/html"}).status_code == 200


def test_page_is_the_nearest_one_above(settings):
    paths = ["/organise/events/X2/history/5/undo/", "/organise/tables/5/restore/", "/language/", "/me/undo/5/"]
    assert [find_page(path) for path in paths] == ["/organise/events/X2/history/", "/desk/", "/", "/me/"]
