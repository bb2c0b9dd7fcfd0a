import datetime as dt
import re
from html import unescape

import pytest
import time_machine
from django.utils import timezone

from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, Membership, Standing
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup
from tests.thorough import take_share_of

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
    return [(one["kind"], one["page"].paginator.count, [str(hit.row) for hit in one["hits"]])
            for one in response.context["sections"]]  # fmt: skip


def texts(response):
    """Return the texts of the rows of results, without tags."""
    rows = re.findall(r"<li[^>]*>(.*?)</li>", markup(response).partition("<main")[2].partition("</main>")[0], re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]


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
        ("players", 2, ["Müller Ann", "Müller Bob"]), ("clubs", 1, ["Müllers"]), ("events", 1, ["Müller Cup"])
    ]  # fmt: skip
    assert texts(response) == [
        f"Müller , Ann 山本 France · Shogi Lyon 3 Dan {rating[ann].rating:.0f} FESA",
        f"Müller , Bob Germany {rating[bob].grade} {rating[bob].rating:.0f} FESA",
        "Müllers Köln, Germany",
        "1 Mar 2024 Müller Cup",
    ]
    page = markup(response)
    assert f'href="{ann.get_absolute_url()}?list=fesa"' in page
    assert '<span class="quiet" lang="">山本</span>' in page
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
    assert [(len(hits), hits[0]) for hits in pages] == [
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


def test_public_id_suggests_only_the_asked_kind(client):
    club, player = Club.objects.create(name="A"), make_player("C")
    hits = [
        suggested(client, row.public_id, kind=kind)["suggestions"]
        for row, kind in ((player, "players"), (club, "players"), (club, "clubs"))
    ]
    assert [[hit["public_id"] for hit in of] for of in hits] == [[player.public_id], [], [club.public_id]]


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
    assert (hit["bold"], hit["native"]) == (hit["name"], "")
    assert ("Klub" in hit["details"]) is (shown == "initials")
    assert client.get("/search/", {"q": hidden.public_id})["Location"] == hit["address"]
    assert "geheim" not in hit["address"]


def test_suggested_player_has_a_comma_and_only_the_family_name_in_bold(client, fesa, rate_all):
    players = [make_player("Adler", "Zoë", native_name="山本"), make_player("Adler")]
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    Club.objects.create(name="Adler Köln")
    assert sorted((hit["name"], hit["bold"], hit["native"]) for hit in suggested(client, "adler")["suggestions"]) == [
        ("Adler", "Adler", ""),
        ("Adler Köln", "Adler Köln", ""),
        ("Adler, Zoë", "Adler", "山本"),
    ]


def test_suggestions_are_short_and_cacheable(client, fesa, rate_all):
    crowd(fesa, 9, rate_all)
    response = client.get("/search/suggest/?q=adler")
    assert (response["Content-Type"], response["Cache-Control"]) == ("application/json", "public, max-age=60")
    answer = response.json()
    assert answer["message"] == "8 suggestions"
    assert [one["word"] for one in answer["suggestions"]] == ["player"] * 4 + ["club"] * 2 + ["event"] * 2
    assert [one["word"] for one in suggested(client, "adler", kind="players")["suggestions"]] == ["player"] * 8
    assert suggested(client, "adlre", kind="clubs")["suggestions"][0]["word"] == "club"


@pytest.mark.parametrize(
    ("language", "details"),
    [("en", "event · 6 Jan 2024 · Lyon · France"), ("ja", "大会／2024年1月6日／Lyon／フランス")],
)
def test_details_of_a_suggestion_are_joined_as_the_language_does(language, details, client, fesa):
    make_event("Winter Cup", lists=[fesa], place="Lyon", country="FR", state="accepted")
    answer = client.get("/search/suggest/?q=winter", headers={"Accept-Language": language}).json()
    assert [one["details"] for one in answer["suggestions"]] == [details]


def test_empty_and_short_texts_explain_what_to_type(client):
    for text in ("", "a", "%", " "):
        page = client.get("/search/", {"q": text})
        assert "Type at least two letters" in markup(page)
        assert suggested(client, text)["suggestions"] == []


def test_empty_search_explains_what_to_do(client, fesa):
    page = markup(client.get("/search/?q=nobody"))
    assert "No player, club or event has all of these words in its name." in page
    assert "Search for their public id instead." in page
    main = page.partition("<main")[2]
    for address in ("/lists/fesa/", "/events/", "/calendar/", "/clubs/"):
        assert f'href="{address}"' in main
    page = markup(client.get("/search/?q=nobody&kind=clubs"))
    assert 'href="?q=nobody"' in page


def test_similar_names_are_offered(client):
    Club.objects.create(name="Shogi Lyon")
    response = client.get("/search/?q=shogy")
    assert [str(hit.row) for hit in response.context["similar"]] == ["Shogi Lyon"]
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
    "query",
    take_share_of(
        ["", "q=%00", "q=%F0%9F%98%80", "q=" + "a" * 3000, "q=" + "%C3%A9+" * 1000, "q=[(*", "q=%25%25", "q=__",
         "q='%3B--", "q=ab&kind=x", "q=ab&kind=players&page=abc", "q=ab&kind=events&page=99999",
         "q=ab&kind=clubs&page=-1", "q=ab&page=%00", "q=ab&kind=%00", "q=1492-01-01", "q=ab%00cd", "q=a&q=b"],
        1, 3,
    ),
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


def test_namesakes_are_told_apart_by_their_ids(client, fesa, rate_all):
    first, second = make_player("Molnár", "Éva", country="HU"), make_player("Molnár", "Éva", country="HU")
    make_table(fesa, [first, second], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    response = client.get("/search/?q=molnar")
    assert [hit.shows_id for hit in response.context["sections"][0]["hits"]] == [True, True]
    page = markup(response)
    assert ("Which player?" in page, first.public_id in page, second.public_id in page) == (True, True, True)
    assert "Which player?" not in markup(client.get(f"/search/?q={first.public_id[:3]}x"))


def test_players_page_leads_to_letters_countries_clubs_and_juniors(client, fesa):
    player = make_player("Adler", "Ann", country="DE", birth_year=timezone.now().year - 14, birth_public=True)
    Membership.objects.create(player=player, club=Club.objects.create(name="Bonn", public_id="BONN222"))
    Standing.objects.create(list=fesa, player=player, rating=1500, games=9, category="established",
                            published=True, last_played=timezone.now().date())  # fmt: skip
    page = markup(client.get("/search/"))
    for address in ("/search/?letter=A", "/lists/fesa/?country=DE", "/lists/fesa/?club=BONN222", "/lists/fesa/?age=u20",
                    "/lists/fesa/?new=1", "/countries/", "/clubs/", "/compare/?list=fesa"):  # fmt: skip
        assert f'href="{address}"' in page
    assert page.count('<form role="search" action="/search/"') == 1


def test_players_page_offers_several_lists_and_keeps_the_chosen_one(client, fesa):
    make_list("chess", name="Chess", system="icu-1989")
    page = markup(client.get("/search/"))
    assert ('href="/search/?list=chess"' in page, 'href="/lists/chess/?new=1"' in page) == (True, False)
    for query in ("list=chess", "list=chess&q=a"):
        page = markup(client.get(f"/search/?{query}"))
        assert ('href="/lists/chess/?new=1"' in page, 'href="/search/?letter=A&list=chess"' in unescape(page)) == (
            True,
            True,
        )


def standing(rating_list, family, **fields):
    player = make_player(family, **fields)
    Standing.objects.create(
        list=rating_list, player=player, rating=1500, games=9, category="established", published=True
    )
    return player


def test_letter_shows_rated_players_with_a_family_name_that_begins_with_it(client, fesa):
    chess = make_list("chess", name="Chess", system="icu-1989")
    for family in ("Øst", "Oslo", "Adler"):
        standing(fesa, family)
    standing(chess, "Otto")
    standing(fesa, "Oculto", shown="initials")
    standing(make_list("closed", public=False), "Olm")
    make_player("Ohne")
    found = {
        query: [hit.row.family_name for hit in client.get(f"/search/?letter={query}").context["hits"]]
        for query in ("O", "O&list=fesa", "O&list=chess", "A", "Z")
    }
    assert found == {"O": ["Oslo", "Øst", "Otto"], "O&list=fesa": ["Oslo", "Øst"], "O&list=chess": ["Otto"],
                     "A": ["Adler"], "Z": []}  # fmt: skip
    assert "No rated player has a family name that begins with Z." in markup(client.get("/search/?letter=Z"))


@pytest.mark.parametrize("count", [1, 60])
def test_letter_needs_the_same_queries_for_any_number(count, client, fesa, django_assert_num_queries):
    for number in range(count):
        standing(fesa, f"Adler{number}")
    with django_assert_num_queries(5):  # the number, players, their clubs and standings, lists
        response = client.get("/search/?letter=A")
    assert len(response.context["hits"]) == min(count, 50)


@pytest.mark.parametrize(
    "query", ["letter=%00", "letter=AB", "letter=1", "letter=A&page=x", "list=%00", "letter=A&list=%00"]
)
def test_odd_letters_and_lists_are_answered(query, client, fesa):
    assert client.get(f"/search/?{query}").status_code == 200
