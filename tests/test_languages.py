"""The site in its languages: catalogues that lack nothing, and pages, addresses and cookies as they shall be."""

import datetime as dt
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import override

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment
from tests.factories import make_list, make_player
from tests.markup import markup

LANGUAGES = ["fr", "de", "ja"]
CATALOGUE = "portal/locale/{}/LC_MESSAGES/django.po"
BRACES = re.compile(r"\{\w*(?::[^}]*)?\}")
CODE = re.compile(
    r"https?://\S+|\w+=\"[^\"]*\"|\{[^{}]*\}|\[Time control[^]]*\]|\d[-+=]!"
)  # addresses, attributes, placeholders, JSON, lines of files and results such as 7+! have no typography
FRENCH_SPACING = re.compile("(?<!\u202f)(?:[;:!?»](?=[\\s.,)]|$))|«(?!\u202f)")
GERMAN_ADDRESS = re.compile(r"\b(?:[Dd]u|[Dd]ich|[Dd]ein\w*)\b|(?:^|[.:;,!] |\bund |\boder )[A-ZÄÖÜ]\w+e[lr]?n Sie\b")
# statements that begin with a verb or a conjunction, not with an imperative
GERMAN_STATEMENTS = re.compile(r"(?:Wenn|Können|Dürfen|Möchten|Haben|Sollen|Wollen|Werden) Sie\b")
JOINED_PUNCTUATION = re.compile(r"(?:\{% translate [^%]*|endblocktranslate )%\} ?[:;!?]")


def catalogue(language: str, root: Path = settings.BASE_DIR) -> Catalog:
    with (root / CATALOGUE.format(language)).open("rb") as file:
        return read_po(file, locale=language)


def problems_of(messages: Catalog) -> Iterator[str]:
    for message in messages:
        if not message.id:
            continue
        translations = translations_of(message)
        asked = message.id if isinstance(message.id, tuple) else (message.id,)
        if message.fuzzy or not all(translations):
            yield f"not translated: {asked[0]}"
        elif any(set(BRACES.findall(one)) != set(BRACES.findall(asked[-1])) for one in translations):
            yield f"other braces: {asked[0]}"
    yield from (f"{message.id}: {error}" for message, errors in messages.check() for error in errors)


def translations_of(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def french_problems_of(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if FRENCH_SPACING.search(CODE.sub("", text))]


def german_problems_of(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if GERMAN_ADDRESS.search(GERMAN_STATEMENTS.sub("", text))]


def test_french_punctuation_follows_narrow_no_break_spaces():
    assert french_problems_of(["Nom :", "Nom\u00a0:", "« oui »", "Pourquoi\u202f? {n:,} à 12:30", "«\u202foui\u202f»"]) == [
        "Nom :", "Nom\u00a0:", "« oui »",
    ]  # fmt: skip
    assert (
        french_problems_of(text for message in catalogue("fr") if message.id for text in translations_of(message)) == []
    )


def test_german_has_neither_du_nor_imperatives():
    assert german_problems_of(["Deine Seite", "Wählen Sie eine Zeile.", "Sie sind angemeldet.", "Wenn Sie spielen"]) == [
        "Deine Seite", "Wählen Sie eine Zeile.",
    ]  # fmt: skip
    assert (
        german_problems_of(text for message in catalogue("de") if message.id for text in translations_of(message)) == []
    )


def test_templates_put_no_punctuation_after_translated_words():
    joined = {
        str(path.relative_to(settings.BASE_DIR)): found
        for path in sorted((settings.BASE_DIR / "templates").rglob("*.*"))
        if (found := JOINED_PUNCTUATION.findall(path.read_text()))
    }
    assert joined == {}


@pytest.mark.parametrize(
    ("context", "word", "translations"),
    [
        ("button", "Change", ["Modifier", "Ändern", "変更する"]),
        (None, "Change", ["Variation", "Änderung", "変動"]),
        ("waiting list", "Place", ["Position", "Platz", "待ち順"]),
        (None, "Place", ["Lieu", "Ort", "場所"]),
        ("finishing order", "Rank", ["Place", "Platz", "順位"]),
        (None, "Rank", ["Rang", "Rang", "順位"]),
        ("event", "rated", ["calculé", "ausgewertet", "計算済み"]),
        (None, "rated", ["classé", "gewertet", "レーティングあり"]),
        ("player", "entered", ["inscrit", "angemeldet", "エントリー済み"]),
        ("comment", "Settled", ["Commentaire réglé", "Erledigt", "解決済み"]),
        (None, "open", ["ouvrir", "öffnen", "開く"]),
    ],
)
def test_words_with_two_meanings_are_translated_by_context(context, word, translations):
    assert [catalogue(language).get(word, context).string for language in LANGUAGES] == translations


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_is_complete(language):
    assert list(problems_of(catalogue(language))) == []


def test_incomplete_catalogue_is_reported():
    messages = Catalog("de")
    messages.add("Player", "")
    messages.add("Event", "Turnier", flags=["fuzzy"])
    messages.add("{count:,} rows", "{zahl} Zeilen")
    messages.add("by %(user)s", "von %(nutzer)s", flags=["python-format"])
    messages.add(("%(n)d game", "%(n)d games"), ("%(n)d Partie", ""), flags=["python-format"])
    assert list(problems_of(messages)) == [
        "not translated: Player",
        "not translated: Event",
        "other braces: {count:,} rows",
        "not translated: %(n)d game",
        "by %(user)s: unknown named placeholder 'nutzer'",
    ]


@pytest.mark.skipif(not shutil.which("xgettext"), reason="collecting the texts of the code needs gettext")
def test_catalogues_hold_every_text_of_the_code(tmp_path):
    for part in ("ratings", "portal", "templates"):
        shutil.copytree(settings.BASE_DIR / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(settings.BASE_DIR / "manage.py", tmp_path)
    made = subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--all", "--no-obsolete"],
        cwd=tmp_path, env=os.environ | {"SECRET_KEY": "tests", "DJANGO_SETTINGS_MODULE": "portal.settings"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    for language in LANGUAGES:
        collected, kept = catalogue(language, tmp_path), catalogue(language)
        assert {message.id for message in kept} == {message.id for message in collected}, "run make messages"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "language", "heading"),
    [
        ("", "en", "Clubs"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr", "Clubs"),
        ("de", "de", "Vereine"),
        ("ja,en;q=0.5", "ja", "クラブ"),
        ("nl", "en", "Clubs"),
    ],
)
def test_page_comes_in_the_browsers_language(asked, language, heading, client):
    response = client.get("/clubs/", HTTP_ACCEPT_LANGUAGE=asked)
    page = markup(response)
    assert f'<html lang="{language}" data-house' in page
    assert f"<h1>{heading}</h1>" in page
    assert response["Content-Language"] == language
    assert {"accept-language", "cookie"} <= {part.strip().lower() for part in response["Vary"].split(",")}
    assert not response.cookies


@pytest.mark.django_db
def test_chosen_language_stays_on_the_same_page(client):
    response = client.post("/language/", {"language": "de", "next": "/clubs/?q=a&page=2"}, HTTP_ACCEPT_LANGUAGE="fr")
    assert (response.status_code, response["Location"]) == (302, "/clubs/?q=a&page=2")
    cookie = response.cookies["language"]
    assert (cookie.value, cookie["samesite"], cookie["httponly"], list(response.cookies)) == (
        "de",
        "Lax",
        True,
        ["language"],
    )
    assert '<html lang="de" data-house' in markup(client.get("/clubs/", HTTP_ACCEPT_LANGUAGE="fr"))


@pytest.mark.django_db
def test_every_page_offers_the_languages_in_their_own_words(client):
    page = markup(client.get("/clubs/?q=%3Cscript%3E", HTTP_ACCEPT_LANGUAGE="ja"))
    assert re.findall(r'name="language" value="(\w+)" lang="\w+"( aria-current="true")?>([^<]+)<', page) == [
        ("en", "", "English"),
        ("fr", "", "Français"),
        ("de", "", "Deutsch"),
        ("ja", ' aria-current="true"', "日本語"),
    ]
    assert '<input type="hidden" name="next" value="/clubs/?q=%3Cscript%3E">' in page


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/x", "javascript:alert(1)"])
def test_choosing_a_language_redirects_to_no_other_site(elsewhere, client):
    response = client.post("/language/", {"language": "de", "next": elsewhere})
    assert (response.status_code, response["Location"]) == (302, "/")


@pytest.mark.django_db
def test_odd_choices_of_language_change_nothing(client):
    for chosen in ("xx", "", "de\0", "../../etc", "x" * 5000):
        assert not client.post("/language/", {"language": chosen}).cookies
    assert client.get("/language/").status_code == 405
    client.cookies["language"] = "x" * 600
    assert '<html lang="en" data-house' in markup(client.get("/clubs/"))


@pytest.mark.django_db
def test_other_sites_cannot_choose_the_language(client):
    response = client.post("/language/", {"language": "de"}, HTTP_SEC_FETCH_SITE="cross-site")
    assert (response.status_code, list(response.cookies)) == (403, [])


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_addresses_dates_and_numbers_are_the_same_in_every_language(language, client, rate_all):
    bgf, player = make_list("bgf", system="bgf"), make_player("Müller", "Zoë", native_name="ミュラー")
    given = {"rating": 1234.5, "grade": "13 Dan"}
    save_adjustment(Adjustment(list=bgf, player=player, date=dt.date(2020, 1, 31), set=given, reason="opening"))
    rate_all()
    page = markup(client.get(f"{player.get_absolute_url()}?list=bgf", HTTP_ACCEPT_LANGUAGE=language))
    assert player.get_absolute_url() == f"/players/{player.public_id}-muller-zoe/"
    assert "1234.5" in page
    assert "2020-01-31" in page
    assert "ミュラー" in page
    assert f'href="{bgf.get_absolute_url()}"' in page


@pytest.mark.parametrize(
    ("language", "short", "whole"),
    [("en", "Oct 2026", "October 2026"), ("de", "Okt. 2026", "Oktober 2026"), ("fr", "oct. 2026", "octobre 2026"),
     ("ja", "2026年10月", "2026年10月")],
)  # fmt: skip
def test_months_are_written_as_the_language_does(language, short, whole):
    day = dt.date(2026, 10, 4)
    with override(language):
        box = render_to_string("site/day.html", {"day": day})
        assert (short in box, date_format(day, "YEAR_MONTH_FORMAT")) == (True, whole)
