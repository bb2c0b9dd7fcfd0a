import re

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_theme_is_saved_and_redirects_back(client):
    response = Client(enforce_csrf_checks=True).post("/theme/", {"theme": "dark", "next": "/events/?page=2"})
    assert (response.status_code, response["Location"]) == (302, "/events/?page=2")
    kept = response.cookies["theme"]
    assert (kept.value, kept["max-age"], kept["httponly"], kept["samesite"]) == ("dark", 31536000, True, "Lax")
    client.cookies = response.cookies
    assert '<html lang="en" data-theme="dark"' in client.get("/privacy/").content.decode()


def test_theme_of_the_system_needs_no_cookie(client):
    client.cookies["theme"] = "light"
    response = client.post("/theme/", {"theme": "system", "next": "/"})
    assert (response.cookies["theme"].value, response.cookies["theme"]["max-age"]) == ("", 0)
    assert "data-theme" not in client.get("/privacy/").content.decode()


@pytest.mark.parametrize(
    "back", ["", "//elsewhere.example/", "https://elsewhere.example/", "javascript:alert(1)", "\0"]
)
def test_theme_redirects_to_no_other_site(back, client):
    response = client.post("/theme/", {"theme": "dark", "next": back})
    assert (response.status_code, response["Location"]) == (302, "/")


@pytest.mark.parametrize("odd", ["purple", '"><script>', "x" * 5000])
def test_unknown_theme_is_none(odd, client):
    assert client.post("/theme/", {"theme": odd}).cookies["theme"].value == ""
    client.cookies["theme"] = odd
    assert "data-theme" not in client.get("/privacy/").content.decode()


def test_theme_is_not_chosen_by_other_sites_or_by_reading(client):
    assert client.post("/theme/", {"theme": "dark"}, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/theme/").status_code == 405


def test_both_ways_to_the_dark_have_the_same_colours(settings):
    css = (settings.BASE_DIR / "static" / "portal" / "tokens.css").read_text()
    by_system = css.partition(":root:not([data-theme=light]) {")[2].partition("}")[0].split()
    by_choice = css.partition(":root[data-theme=dark] {\n    color-scheme: dark;")[2].partition("}")[0].split()
    assert by_system == by_choice != []


def test_only_the_tokens_name_colours(settings):
    """Other style sheets use the tokens, but for the black of curves on paper and the shadow around flags."""
    named = {
        (path.name, colour)
        for path in (settings.BASE_DIR / "static" / "portal").glob("*.css")
        for colour in re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgb\([^)]*\)|\bhsl\([^)]*\)", path.read_text())
        if path.name != "tokens.css"
    }
    assert named == {("graph.css", "#000"), ("base.css", "rgb(20 30 50 / 18%)")}


def test_printed_pages_are_light_in_the_dark_theme(settings):
    css = (settings.BASE_DIR / "static" / "portal" / "tokens.css").read_text()
    light = css.partition(":root, .light {")[2].partition("}")[0]
    dark = css.partition(":root[data-theme=dark] {")[2].partition("}")[0]
    assert set(re.findall(r"--[\w-]+(?=:)", dark)) <= set(re.findall(r"--[\w-]+(?=:)", light))
