"""A player who is not shown by his full name: no page, file, address or search tells it, and no rating depends on it."""

import datetime as dt
import html
import io
import json
import re
import zipfile
from collections import Counter

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.urls import get_resolver
from django.utils import timezone

from portal.charts import card_pictures
from ratings.domain.lists.adjustments import save_player
from ratings.domain.lists.publishing import publish
from ratings.domain.lists.statistics import refresh_due
from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.domain.site.roles import OFFICERS, ORGANISERS
from ratings.formats.event_head import Head
from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.file import read_history
from ratings.formats.history.result import rate_history
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_table
from ratings.models import (
    Club,
    DatedList,
    EntryList,
    Event,
    EventEntry,
    Membership,
    PairingPage,
    Player,
    RatingList,
    Report,
    RuleEffect,
    Run,
)
from ratings.queries.players.roster import Roster
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user
from tests.hostile import propose_change
from tests.portal.pdf.read import pages
from tests.shared import reused
from tests.thorough import share

pytestmark = pytest.mark.django_db

FAMILY, GIVEN, NATIVE = "<script>alert(1)</script>", "O'Neill", "オニール"
FAMILY_2 = "<script>alert(1);Hush</script>"
HIDDEN_TEXTS = ("alert(1", "alert1", "alert%281", "alert\\u0028", "neill", "オニール", "geheim", "hush")
"""Parts of his names, folded, escaped or in an address."""
PICTURES, PAGES = share(20, 1), share(1000, 3)
"""How many of an address are read, in its different choices."""
NOT_PUBLIC = {"crest", "me", "following", "follow", "unsubscribe", "give_up_page", "withdraw_claim", "claim_page", "calendar_feed", "health", "metrics", "language", "theme",
              "favicon", "security_txt", "undo_own_step", "own_entry", "without_slug", "portal_card", "start",
              "closing_explanation", "closing_card", "answer_link", "public_laboratory", "request_own_erasure", "personal_data", "personal_data_file", "hall", "hall_tap", "hall_join", "hall_worker", "organise_worker",
              "witnessed_logs"}  # fmt: skip
"""They show nobody, are one's own, need a link from a letter or the hall, or a list with closing days."""


@pytest.fixture
@reused
def fesa():
    return make_list(publish_from=dt.date(2020, 1, 1))


@pytest.fixture
@reused
def hidden(fesa, rate_all):
    (player,) = named_everywhere(fesa, rate_all, FAMILY)
    return player


def named_everywhere(fesa, rate_all, *families):
    """Return players whom every page names: a promotion, a warning, a correction, a dated list, a merge, a report."""
    create_key("portal.example")
    club = Club.objects.create(name="Club")
    named = [make_player(family, GIVEN, native_name=NATIVE, birth_date="1970-05-01") for family in families]
    doubles = [make_player("Geheim", "Zoë") for _ in named]
    other, third = make_player("Adler"), make_player("Zorn")
    for player in (*named, other):
        Membership.objects.create(player=player, club=club)
    for player in named:
        give_rating(fesa, player, 1790, grade="1 Kyu")
    give_rating(fesa, other, 1900, grade="2 Dan")
    twin = make_list("twin", system="icu-1989", comparison_to=fesa)
    event = make_event("Cup", "2024-03-02", [fesa])
    last, numbers = len(named), range(1, len(named) + 1)
    won = [(n + turn, n, last + 1 + turn, 1.0) for n in numbers for turn in (0, 1)]
    drawn = [(17 * n + round_, n, last + 1, 0.5) for n in numbers for round_ in range(17)]
    make_table(None, [*named, other, third], won, "2024-03-02", event=event, name="A")
    make_table(None, [*doubles, other], [(n, n, last + 1, 1.0) for n in numbers], "2024-03-01", event=event, name="B")
    make_table(fesa, [*named, third], drawn, "2024-04-02", event_name="Long")
    rate_all()
    publish(DatedList(list=fesa, day=dt.date(2024, 6, 1)))
    make_table(fesa, [other, third], [(1, 1, 2, 1.0)], "2024-02-02", event_name="Late")
    rate_all()
    for double, player in zip(doubles, named, strict=True):
        merge_players(double, player, reason="one")
    rate_all()
    for player in named:
        player.birth_date = dt.date(1971, 5, 1)
        save_player(player)
    rate_all()
    twin.standings.filter(player__in=named).update(rating=1)  # so that the two lists disagree about them
    for player in named:
        Report.objects.create(player=player, text="wrong")
    refresh_due()
    coming = make_event("Coming", "2999-01-01", [fesa], state="draft", announced_at=timezone.now())
    EntryList.objects.create(event=coming)
    for player in named:
        EventEntry.objects.create(event=coming, player=player, state="confirmed")
    rows = [[f"{player.family_name} {player.given_name}", player.native_name] for player in named]
    PairingPage.objects.create(event=coming, kind="standings", round=1, tables=[rows], received_at=timezone.now())
    RatingList.objects.filter(pk=fesa.pk).update(active_years=50)  # so that the effects of a proposal show them
    proposal = propose_change(fesa, other, "Rules")
    for player in named:
        RuleEffect.objects.create(proposal=proposal, player=player, present=1790, rating=1800)
    return [Player.objects.get(pk=player.pk) for player in named]


def crawl(client):
    """All public pages and files by their addresses: every link is followed, and what no link leads to is added."""
    waiting = ["/", "/calendar.ics", "/lists/fesa/?active=all&sort=name", "/lists/fesa/?active=all&sort=-name"]
    waiting += [report.get_absolute_url() for report in Report.objects.all()]
    ids = list(Player.objects.values_list("public_id", flat=True))
    waiting += [f"/search/{kind}?q={text}" for kind in ("", "suggest/") for text in ("neil", "zor", *ids)]
    parts = ("", "events/", "games/", "opponents/", "history.csv", "card.png", "graph.svg", "graph.csv")
    kept = Player.objects.filter(merged_into=None).values_list("public_id", flat=True)
    waiting += [f"/players/{id}/{part}" for id in kept for part in parts]
    waiting += ["/robots.txt", "/sitemap.xml", "/sitemap-players.xml"]
    found, chosen = {}, Counter()
    while waiting:
        address = waiting.pop().partition("#")[0]
        base = address.partition("?")[0]
        if address in found or address.startswith(("/accounts/", "/admin/", "/organise/", "/static/")):
            continue
        if address != base or base.endswith(
            (".svg", ".png")
        ):  # hundreds are linked, of the same players in other years
            chosen[base] += 1
            if chosen[base] > (PICTURES if base.endswith((".svg", ".png")) else PAGES):
                continue
        response = found[address] = client.get(address)
        if "Location" in response:
            waiting.append(response["Location"])
        if response.get("Content-Type", "").startswith("text/html"):
            links = re.findall(r'(?:href|src)="([^"]+)"', response.content.decode())
            links = [link.replace("&amp;", "&") for link in links if not link.startswith(("http", "webcal"))]
            waiting += [link if link.startswith("/") else base + link for link in links if link[0] != "#"]
            pictures = re.findall(
                rf'property="og:image" content="{settings.SITE_ADDRESS}([^"]+)"', response.content.decode()
            )
            waiting += [html.unescape(picture) for picture in pictures]
    return found


def read_response(response):
    """Return the content and headers of a response, unpacked and in lower case."""
    body = response.content
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as parts:
            body = b"".join(parts.read(name) for name in parts.namelist())
    if body.startswith(b"%PDF"):
        body = " ".join(pages(body)).encode()
    charset = "latin-1" if "iso-8859-1" in response.get("Content-Type", "") else "utf-8"
    return f"{body.decode(charset, errors='replace')} {response.headers}".lower()  # pictures are no text


def names_of_views():
    return {
        pattern.name
        for pattern in get_resolver().url_patterns
        if getattr(pattern, "name", None)
        and not str(pattern.pattern).lstrip("^").startswith(("organise", "accounts", "admin"))
    }


def test_no_public_page_or_file_reveals_a_hidden_name(client, fesa, rate_all, monkeypatch):
    monkeypatch.setattr(card_pictures, "card_as_png", str.encode)  # to read the texts of cards
    players = dict(zip(("initials", "anonymous"), named_everywhere(fesa, rate_all, FAMILY, FAMILY_2), strict=True))
    for shown, player in players.items():
        assert "neill" in read_response(client.get(player.get_absolute_url()))
        set_visibility(player, shown)
    found = crawl(client)
    views = {response.resolver_match.url_name for response in found.values() if response.resolver_match}
    assert names_of_views() - views - NOT_PUBLIC == set()
    files = {address.rpartition("/")[2].partition("?")[0] for address in found if "." in address}
    assert files >= {"grid.txt", "published.txt", "trf.trf", "csv.csv", "xlsx.xlsx", "history.json", "digest.txt"}
    assert {address for address, response in found.items() if response.status_code not in (200, 301, 302)} == set()
    assert {response.resolver_match.url_name for response in found.values() if response.cookies} == {
        "new_report",
        "tournament",
        "enter_event",
        "lookup",
    }
    actual = [
        (address, response.resolver_match.url_name, read_response(response)) for address, response in found.items()
    ]
    assert [(address, word) for address, _, text in actual for word in HIDDEN_TEXTS if word in text] == []
    for name in ("s. o.", f"player {players['anonymous'].public_id.lower()}"):
        assert {view for _, view, text in actual if name in text} >= {
            "front", "list", "promotions", "dated_list", "history", "corrections", "comparison", "explanation", "event",
            "player", "report", "new_report", "grades", "calculator", "promotion_feed",
        }, name  # fmt: skip


def test_h9_reveals_no_hidden_name(client, rate_all):
    bgf, hidden = make_list("bgf", system="bgf"), make_player(FAMILY, GIVEN)
    table = make_table(bgf, [hidden, make_player()], [(1, 1, 2, 1.0)])
    set_visibility(hidden, "anonymous")
    written = read_response(client.get(f"/events/{table.event.public_id}/{table.pk}/h9.h9"))
    assert [word in written for word in (*HIDDEN_TEXTS, hidden.public_id.lower())] == [False] * len(HIDDEN_TEXTS) + [
        True
    ]


def test_old_address_redirects_to_one_without_the_hidden_name(client, hidden):
    old = hidden.get_absolute_url()
    set_visibility(hidden, "anonymous")
    response = client.get(old)
    assert (response.status_code, response["Location"], response["Cache-Control"]) == (
        301,
        f"/players/{hidden.public_id}-player-{hidden.public_id.lower()}/",
        "no-cache",  # else a browser goes on being sent there when he is shown again
    )
    set_visibility(hidden, "full")
    assert client.get(response["Location"])["Location"] == old


def found_by(client, **query):
    rows = client.get("/lists/fesa/", {"active": "all"} | query).context["listing"].rows
    return [row.record.player.public_id for row in rows]


def test_addresses_and_files_are_the_same_in_every_language_and_are_read_back(client, fesa, hidden):
    set_visibility(hidden, "anonymous")
    table = hidden.entries.first().table
    Event.objects.filter(pk=table.event_id).update(country="NL")
    files = [f"/events/{table.event.public_id}/{table.pk}/{name}" for name in ("csv.csv", "grid.txt", "trf.trf")]
    for address in (f"/players/{hidden.public_id}/", *files, "/lists/fesa/list.csv", "/lists/fesa/history.json"):
        actual = {
            language: (response.content, response.headers.get("Location"))
            for language in ("en", "de", "ja")
            if (response := client.get(address, headers={"accept-language": language}))
        }
        assert actual["de"] == actual["en"] == actual["ja"], address
    today = dt.date(2026, 1, 1)
    for address in files:
        found = read_results_file(client.get(address).content, Head("Cup", today, today), today)
        assert found.table
        row = content_from_table(found.table).rows[0]
        assert Roster([row], ()).match(1, row).player == hidden
        assert not found.problems.fatal


@pytest.mark.parametrize("shown", ["full", "initials", "anonymous"])
def test_search_finds_hidden_players_by_their_id_only(shown, client, hidden):
    set_visibility(hidden, shown)
    by_name = [hidden.public_id] if shown == "full" else []
    assert [found_by(client, q=q) for q in ("neill", "O'Neill script", "オニール")] == [by_name] * 3
    assert found_by(client, q=f" {hidden.public_id.lower()} ") == [hidden.public_id]


def test_order_of_names_reveals_nothing_about_a_hidden_name(client, fesa, rate_all):
    adler, moss, zorn = (make_player(name) for name in ("Adler", "Moss", "Zorn"))
    make_table(fesa, [adler, moss, zorn], [(1, 1, 2, 0.5), (2, 1, 3, 0.5), (3, 2, 3, 0.5)])
    rate_all()
    set_visibility(adler, "anonymous")
    assert found_by(client, sort="name") == [moss.public_id, zorn.public_id, adler.public_id]
    assert found_by(client, sort="-name") == [adler.public_id, zorn.public_id, moss.public_id]
    RatingList.objects.get().standings.update(rating=1500)  # equal ratings are ordered by name
    assert found_by(client) == found_by(client, sort="rating") == [moss.public_id, zorn.public_id, adler.public_id]
    assert found_by(client, sort="-rating") == [moss.public_id, zorn.public_id, adler.public_id]


@pytest.mark.parametrize(("shown", "members"), [("full", 2), ("initials", 2), ("anonymous", 1)])
def test_anonymous_player_is_not_listed_in_a_club(shown, members, client, hidden):
    set_visibility(hidden, shown)
    club = Club.objects.get()
    inside = shown != "anonymous"
    assert [line.members for line, _ in client.get("/clubs/").context["lines"]] == [members]
    shown_rows = client.get(club.get_absolute_url()).context["members"].rows
    assert (hidden in [row.record for row in shown_rows]) is inside
    assert (hidden.public_id in found_by(client, club=club.public_id)) is inside
    page = client.get(hidden.get_absolute_url(), follow=True).content.decode()
    assert (club.get_absolute_url() in page) is inside
    rows = client.get("/lists/fesa/?active=all").context["listing"].paginated_rows
    (cell,) = [row.get_cell("club") for row in rows if row.record.player == hidden]
    assert bool(cell) is inside


def test_ratings_do_not_depend_on_what_is_shown(client, fesa, hidden, rate_all):
    before = stored_digest(fesa), RatingList.objects.get(slug="fesa").revision
    for shown in ("anonymous", "initials", "full"):
        set_visibility(hidden, shown)
        assert (stored_digest(fesa), RatingList.objects.get(slug="fesa").revision) == before
        assert list(find_differences(fesa)) == []
        assert (
            compute_history_digest(rate_history(read_history(client.get("/lists/fesa/history.json").content)))
            == before[0]
        )


def test_history_is_another_file_when_somebody_is_hidden(client, hidden):
    first = client.get("/lists/fesa/history.json")
    assert client.get("/lists/fesa/history.json", headers={"if-none-match": first["ETag"]}).status_code == 304
    set_visibility(hidden, "initials")
    again = client.get("/lists/fesa/history.json", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 200
    assert {one["id"]: one["name"] for one in json.loads(again.content)["players"]}[hidden.public_id] == "S. O."


def test_history_is_another_file_when_a_name_is_corrected(client, hidden):
    first = client.get("/lists/fesa/history.json")
    Player.objects.filter(pk=hidden.pk).update(family_name="Corrected")
    assert client.get("/lists/fesa/history.json", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_federations_own_export_shows_true_names(capsys, fesa, hidden):
    set_visibility(hidden, "anonymous")
    call_command("export_history", list="fesa")
    names = {one["id"]: one["name"] for one in json.loads(capsys.readouterr().out)["players"]}
    assert names[hidden.public_id] == f"{FAMILY} {GIVEN}"


def test_warnings_and_reasons_keep_ids(client, hidden):
    warning = "split the results by date"
    assert any(f"{FAMILY} {GIVEN}" in line and warning in line for line in warnings_of(client))
    set_visibility(hidden, "anonymous")
    assert any(f"Player {hidden.public_id}" in line and warning in line for line in warnings_of(client))
    reasons = "; ".join(reason for run in Run.objects.all() for reason in run.reasons)
    assert [f"player {hidden.public_id}" in reasons, FAMILY in reasons] == [True, False]


def warnings_of(client):
    page = client.get(Event.objects.get(name="Long").get_absolute_url())
    return [html.unescape(actual) for actual in re.findall(r'<p class="message">(.*?)</p>', page.content.decode())]


def test_managing_pages_show_true_names(client, fesa, hidden):
    set_visibility(hidden, "anonymous")
    user = make_user("user", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=[OFFICERS, ORGANISERS]))
    client.force_login(user)
    (known,) = client.get("/organise/players/", {"q": "neill"}).json()["suggestions"]
    assert (known["family"], known["given"]) == (FAMILY, GIVEN)
    assert FAMILY in known["described"]
    other = make_player("Zorn")
    for address in (
        "/organise/duplicates/",
        "/organise/queue/",
        f"/organise/merge/?gone={other.public_id}&kept={hidden.public_id}",
        "/admin/ratings/player/",
        "/admin/ratings/standing/",
        "/admin/ratings/merge/",
        "/admin/autocomplete/?app_label=ratings&model_name=membership&field_name=player&term=neill",
    ):
        response = client.get(address)
        assert (address, response.status_code, "neill" in response.content.decode().lower()) == (address, 200, True)
    assert "neill" not in client.get("/lists/fesa/?active=all").content.decode().lower()
