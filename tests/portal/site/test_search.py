import datetime as dt
from html import unescape

import pytest
import time_machine
from django.utils import timezone

from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, Membership
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


@pytest.fixture
def fesa():
    return make_list(name="FESA")


def crowd(rating_list, count, rate_all, family="Adler"):
    """So many of one name in a club each, who played in an event each, and one opponent."""
    opponent = make_player("Zorn")
    for number in range(count):
        player = make_player(family, f"Ann{number:03}")
        give_rating(rating_list, player, 1500 + number)
        club = Club.objects.create(name=f"{family} club {number}", city="Lyon", country="FR")
        Membership.objects.create(player=player, club=club)
        make_table(rating_list, [player, opponent], [(1, 1, 2, 0.5)], "2024-03-01", event_name=f"{family} cup {number}")
    rate_all()


def sections(response):
    return [(one["kind"], one["page"].paginator.count, [(hit.name, hit.details) for hit in one["hits"]])
            for one in response.context["sections"]]  # fmt: skip


def suggested(client, text, **more):
    return client.get("/search/suggest/", {"q": text} | more).json()


def test_page_shows_what_distinguishes_namesakes(client, fesa, rate_all):
    ann, bob = make_player("Müller", "Ann", native_name="山本"), make_player("Müller", "Bob", country="DE")
    give_rating(fesa, ann, 2000, grade="3 Dan")
    give_rating(fesa, bob, 1500)
    Membership.objects.create(player=ann, club=Club.objects.create(name="Shogi Lyon"))
    Club.objects.create(name="Müllers", city="Köln", country="DE")
    make_table(fesa, [ann, bob], [(1, 1, 2, 0.5)], "2024-03-01", event_name="Müller Cup")
    rate_all()
    response = client.get("/search/?q=MULLER")
    rating = {player: player.standings.get() for player in (ann, bob)}
    assert sections(response) == [
        ("players", 2, [
            ("Müller Ann", f"France · Shogi Lyon · FESA: 3 Dan {rating[ann].rating:.0f}"),
            ("Müller Bob", f"Germany · FESA: {rating[bob].grade} {rating[bob].rating:.0f}"),
        ]),
        ("clubs", 1, [("Müllers", "Köln · Germany")]),
        ("events", 1, [("Müller Cup", "2024-03-01")]),
    ]  # fmt: skip
    page = markup(response)
    assert f'<a class="strong" href="{ann.get_absolute_url()}">Müller Ann</a> <span lang="">山本</span>' in page
    assert 'value="MULLER"' in page


@pytest.mark.parametrize("count", [1, 50])
def test_page_needs_the_same_queries_for_any_number_of_rows(count, client, fesa, rate_all, django_assert_num_queries):
    crowd(fesa, count, rate_all)
    with django_assert_num_queries(11):  # lists, an id; three kinds, who is shown; three, one and one for their rows
        response = client.get("/search/?q=adler")
    assert [count for _, count, _ in sections(response)] == [count] * 3


@pytest.mark.parametrize(("count", "queries"), [(1, 12), (3, 12), (50, 10)])  # of 50 the first ten are players
def test_similar_names_need_few_queries(count, queries, client, fesa, rate_all, django_assert_num_queries):
    crowd(fesa, count, rate_all)
    with django_assert_num_queries(queries):
        response = client.get("/search/?q=adlre")
    assert len(response.context["similar"]) == min(3 * count, 10)


@pytest.mark.parametrize("count", [1, 50])
def test_suggestions_need_the_same_queries_for_any_number(count, client, fesa, rate_all, django_assert_num_queries):
    crowd(fesa, count, rate_all)
    with django_assert_num_queries(10):
        answer = suggested(client, "adler")
    assert len(answer["suggestions"]) == (3 if count == 1 else 8)


def test_each_kind_can_be_looked_through(client, fesa, rate_all):
    crowd(fesa, 12, rate_all)
    page = markup(client.get("/search/?q=adler"))
    assert 'href="?q=adler&kind=players"' in unescape(page)
    assert 'href="?q=adler&kind=clubs"' in unescape(page)
    ((kind, count, hits),) = sections(client.get("/search/?q=adler&kind=players"))
    assert (kind, count, len(hits)) == ("players", 12, 12)


def test_kind_has_pages(client):
    for number in range(60):
        Club.objects.create(name=f"Club {number:02}")
    pages = [
        sections(client.get(f"/search/?q=club&kind=clubs&page={page}"))[0][2] for page in ("1", "2", "99999", "abc")
    ]
    assert [(len(hits), hits[0][0]) for hits in pages] == [
        (50, "Club 00"),
        (10, "Club 50"),
        (10, "Club 50"),
        (50, "Club 00"),
    ]


def test_public_id_leads_straight_to_the_page(client):
    club, event, player = Club.objects.create(name="A"), make_event("B"), make_player("C")
    coming = make_event("D", "2024-07-01", state="draft", announced_at=timezone.now())
    gone = make_player("E")
    merge_players(gone, player, reason="one")
    asked = [row.public_id.lower() for row in (club, event, player, coming, gone)]
    answers = [client.get("/search/", {"q": f" {id} "}) for id in asked]
    addresses = [row.get_absolute_url() for row in (club, event, player)]
    assert [answer.status_code for answer in answers] == [302] * 5
    assert [answer["Location"] for answer in answers] == [
        *addresses,
        coming.get_absolute_url(),
        player.get_absolute_url(),
    ]
    assert [suggested(client, id)["suggestions"][0]["address"] for id in asked[:3]] == addresses


@pytest.mark.parametrize("shown", ["initials", "anonymous"])
def test_hidden_players_are_found_by_their_id_alone(shown, client, fesa, rate_all):
    hidden, other = make_player("Geheimrat", "Zoë", native_name="山本"), make_player("Zorn")
    Membership.objects.create(player=hidden, club=Club.objects.create(name="Klub"))
    make_table(fesa, [hidden, other], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    set_visibility(hidden, shown)
    for text in ("geheimrat", "Zoe", "山本", "Geheimrath"):
        page = client.get("/search/", {"q": text})
        assert (page.context["sections"], page.context["similar"]) == ([], [])
        assert suggested(client, text) == {"message": "Nothing found", "suggestions": []}
    (hit,) = suggested(client, hidden.public_id.lower())["suggestions"]
    assert hit["name"] == {"initials": "G. Z.", "anonymous": f"Player {hidden.public_id}"}[shown]
    assert hit["native"] == ""
    assert ("Klub" in hit["details"]) is (shown == "initials")
    assert client.get("/search/", {"q": hidden.public_id})["Location"] == hit["address"]
    assert "geheim" not in hit["address"]


def test_suggestions_are_short_and_cacheable(client, fesa, rate_all):
    crowd(fesa, 9, rate_all)
    response = client.get("/search/suggest/?q=adler")
    assert (response["Content-Type"], response["Cache-Control"]) == ("application/json", "public, max-age=60")
    answer = response.json()
    assert answer["message"] == "8 suggestions"
    assert [one["word"] for one in answer["suggestions"]] == ["player"] * 4 + ["club"] * 2 + ["event"] * 2
    assert [one["word"] for one in suggested(client, "adler", kind="players")["suggestions"]] == ["player"] * 8
    assert suggested(client, "adlre", kind="clubs")["suggestions"][0]["word"] == "club"


def test_empty_and_short_texts_explain_what_to_type(client):
    for text in ("", "a", "%", " "):
        page = client.get("/search/", {"q": text})
        assert "Type at least two letters" in markup(page)
        assert suggested(client, text)["suggestions"] == []


def test_empty_search_explains_what_to_do(client, fesa):
    page = markup(client.get("/search/?q=nobody"))
    assert "No player, club or event has all of these words in its name." in page
    assert "by their public id" in page
    main = page.partition("<main")[2]
    for address in ("/lists/fesa/", "/events/", "/calendar/", "/clubs/"):
        assert f'href="{address}"' in main
    page = markup(client.get("/search/?q=nobody&kind=clubs"))
    assert 'href="?q=nobody"' in page


def test_similar_names_are_offered(client):
    Club.objects.create(name="Shogi Lyon")
    response = client.get("/search/?q=shogy")
    assert [hit.name for hit in response.context["similar"]] == ["Shogi Lyon"]
    assert "Similar names" in markup(response)


def test_names_are_escaped(client, fesa, rate_all):
    player, other = make_player("<script>alert(1)</script>", "\"'&"), make_player("Rival")
    make_table(fesa, [player, other], [(1, 1, 2, 1.0)], "2024-03-01", event_name="<script>alert(2)</script>")
    Club.objects.create(name="<script>alert(3)</script>")
    rate_all()
    response = client.get("/search/", {"q": "<script>alert"})
    assert [count for _, count, _ in sections(response)] == [1, 1, 1]
    assert "<script>alert" not in markup(response)


@pytest.mark.parametrize(
    "query", ["", "q=%00", "q=%F0%9F%98%80", "q=" + "a" * 3000, "q=" + "%C3%A9+" * 1000, "q=[(*", "q=%25%25", "q=__",
              "q='%3B--", "q=ab&kind=x", "q=ab&kind=players&page=abc", "q=ab&kind=events&page=99999",
              "q=ab&kind=clubs&page=-1", "q=ab&page=%00", "q=ab&kind=%00", "q=1492-01-01", "q=ab%00cd", "q=a&q=b"],
)  # fmt: skip
def test_odd_requests_are_answered(query, client, fesa, rate_all):
    crowd(fesa, 1, rate_all)
    assert [client.get(f"/search/{kind}?{query}").status_code for kind in ("", "suggest/")] == [200, 200]


def test_other_methods_are_refused(client):
    assert [client.post(address).status_code for address in ("/search/", "/search/suggest/")] == [405, 405]


def test_reading_sets_no_cookie(client, fesa):
    for address in ("/search/", "/search/?q=ab", "/search/suggest/?q=ab"):
        assert not client.get(address).cookies


def test_every_page_has_the_box(client, fesa):
    for address in ("/", "/lists/fesa/", "/clubs/", "/nowhere/", "/accounts/login/"):
        assert '<form role="search" action="/search/"' in markup(client.get(address))
