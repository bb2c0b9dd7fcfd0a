import datetime as dt

import pytest
import time_machine

from ratings.models import Club, Event, Membership, Standing
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


@pytest.fixture
def fesa():
    return make_list()


def rated(rating_list, rating, club=None, last="2024-03-01", **fields):
    """A player who stands on a list as a run would have written it."""
    player = make_player(**fields)
    Standing.objects.create(
        list=rating_list, player=player, rating=rating, games=20, category="established", published=True,
        last_played=last,
    )  # fmt: skip
    if club is not None:
        Membership.objects.create(player=player, club=club)
    return player


def list_strengths(line):
    return [(one.rating_list.slug, one.rated, one.active, one.mean, one.median, one.best) for one in line.strengths]


def names(response):
    return [row.record.family_name for row in response.context["members"].paginated_rows]


def found(response):
    return [line.club.name for line, _ in response.context["lines"]]


def test_strength_is_of_active_members(client, fesa):
    """Active are 1500, 1600 and 2000: their mean is 1700, their median 1600."""
    chess, club = make_list("chess", system="icu-1989"), Club.objects.create(name="Lyon")
    for rating in (1500, 1600, 2000):
        rated(fesa, rating, club)
    rated(fesa, 2500, club, last="2020-01-01")
    rated(fesa, 2600, club, shown="anonymous")
    rated(fesa, 2700)
    rated(chess, 1000, club, last="2020-01-01")
    left = rated(fesa, 2800)
    Membership.objects.create(player=left, club=club, start="2020-01-01", end="2021-01-01")
    expected = [("fesa", 4, 3, 1700, 1600, 2000), ("chess", 1, 0, None, None, None)]
    ((line, strength),) = client.get("/clubs/").context["lines"]
    assert (line.club, line.members, list_strengths(line)) == (club, 5, expected)
    assert strength == line.strengths[0]
    context = client.get(club.get_absolute_url()).context
    line = context["line"]
    assert (line.club, line.members, list_strengths(line)) == (club, 5, expected)
    assert context["strength"] == line.strengths[0]


def test_clubs_of_a_list_are_those_with_rated_members(client, fesa):
    chess = make_list("chess", name="Chess", system="icu-1989")
    lyon, paris = Club.objects.create(name="Lyon", country="FR"), Club.objects.create(name="Paris", country="FR")
    rated(fesa, 1500, lyon)
    rated(chess, 1000, paris)
    Standing.objects.create(
        list=chess, player=rated(fesa, 1600, lyon), rating=900, games=1, category="rated", published=True,
        last_played="2024-03-01",
    )  # fmt: skip
    rated(chess, 1200, Club.objects.create(name="Secret"), shown="anonymous")
    lines = {
        query: [
            (line.club, strength.rating_list.slug)
            for line, strength in client.get(f"/clubs/{query}").context["lines"]
            if strength
        ]
        for query in ("", "?list=fesa", "?list=chess", "?list=nope")
    }
    everywhere = [(lyon, "fesa"), (paris, "chess")]
    assert lines == {
        "": everywhere, "?list=fesa": [(lyon, "fesa")], "?list=chess": [(lyon, "chess"), (paris, "chess")],
        "?list=nope": everywhere,
    }  # fmt: skip
    page = markup(client.get("/clubs/?list=chess"))
    for address in (f"{paris.get_absolute_url()}?list=chess", "/countries/FR/?list=chess", "/countries/?list=chess"):
        assert f'href="{address}"' in page
    assert "No club matches these filters." in markup(client.get("/clubs/?list=chess&q=nowhere"))


def test_strength_reveals_nothing_about_hidden_ratings_and_lists(client, fesa):
    club, closed = Club.objects.create(name="Lyon"), make_list("closed", public=False)
    rated(closed, 1873, club, family_name="Adler")
    hidden = rated(fesa, 1873, club, family_name="Bauer")
    Standing.objects.filter(player=hidden).update(published=False)
    response = client.get(club.get_absolute_url())
    assert (response.context["line"].members, list_strengths(response.context["line"])) == (2, [])
    assert "1873" not in markup(response)


@pytest.mark.parametrize("count", [1, 50])
def test_clubs_need_the_same_queries_for_any_number(count, client, fesa, django_assert_num_queries):
    for number in range(count):
        rated(fesa, 1500, Club.objects.create(name=f"Club {number:02}", country="FR"))
    with django_assert_num_queries(6):
        response = client.get("/clubs/")
    assert len(found(response)) == min(count, 25)


@pytest.mark.parametrize("count", [1, 50])
def test_club_needs_the_same_queries_for_any_number_of_members(count, client, fesa, django_assert_num_queries):
    club = Club.objects.create(name="Lyon")
    for number in range(count):
        rated(fesa, 1500 + number, club)
        make_event(club=club, lists=[fesa])
    with django_assert_num_queries(9):
        response = client.get(club.get_absolute_url())
    assert len(names(response)) == count


def test_clubs_are_ordered_by_country_as_it_is_written(client):
    for name, country in (("Z", "EE"), ("B", "DE"), ("A", "DE"), ("X", ""), ("C", "BE")):
        Club.objects.create(name=name, country=country)
    assert found(client.get("/clubs/")) == ["C", "Z", "A", "B", "X"]  # Belgium, Estonia, Germany, none


@pytest.mark.parametrize(
    ("query", "clubs"),
    [
        ("q=szabofalva", ["Go Szabófalva"]),
        ("q=CHESS+bally", ["Ballyć Chess"]),
        ("q=lyon", ["Go Szabófalva"]),
        ("country=IE", ["Ballyć Chess"]),
        ("country=IE&q=go", []),
        ("country=XX", ["Go Szabófalva", "Ballyć Chess"]),
        ("q=%00", ["Go Szabófalva", "Ballyć Chess"]),
        ("page=abc", ["Go Szabófalva", "Ballyć Chess"]),
        ("page=99999", ["Go Szabófalva", "Ballyć Chess"]),
        ("page=-1&q=", ["Go Szabófalva", "Ballyć Chess"]),
        ("q=" + "a" * 5000, []),
        ("q=[(*%25_", []),
        ("q=%F0%9F%98%80&country=<b>", []),
    ],
)
def test_clubs_are_filtered_by_the_address(query, clubs, client):
    Club.objects.create(name="Go Szabófalva", city="Lyon", country="HU")
    Club.objects.create(name="Ballyć Chess", country="IE")
    assert found(client.get(f"/clubs/?{query}")) == clubs


def test_members_are_sorted_by_rating_or_name(client, fesa):
    club = Club.objects.create(name="Lyon")
    rated(fesa, 1500, club, family_name="A")
    rated(fesa, 1700, club, family_name="C")
    rated(fesa, 1500, club, family_name="B")
    Membership.objects.create(player=make_player("D"), club=club)
    address = club.get_absolute_url()
    assert names(client.get(address)) == ["C", "A", "B", "D"]
    assert names(client.get(f"{address}?sort=rating")) == ["D", "B", "A", "C"]
    assert names(client.get(f"{address}?sort=-name")) == ["D", "C", "B", "A"]
    assert names(client.get(f"{address}?sort=name")) == ["A", "B", "C", "D"]


def test_members_are_shown_on_the_requested_list(client, fesa):
    chess, club = make_list("chess", system="icu-1989"), Club.objects.create(name="Lyon")
    a = rated(chess, 1234, club, family_name="A")
    rated(chess, 1100, club, family_name="B")
    Standing.objects.create(list=fesa, player=a, rating=1999, games=1, category="rated", published=True)

    def ratings(query):
        response = client.get(f"{club.get_absolute_url()}{query}")
        rows = response.context["members"].rows
        return response.context["rating_list"].slug, [str(row.get_cell("rating")) for row in rows]

    assert ratings("") == ratings("?list=nope") == ("chess", ["1234", "1100"])
    assert ratings("?list=fesa") == ("fesa", ["1999", "–"])


@pytest.mark.parametrize(
    "query", ["page=abc", "page=99999", "sort=nope", "sort=start", "list=%00", "list=<b>", "page="]
)
def test_club_survives_odd_parameters(query, client, fesa):
    club = Club.objects.create(name="Lyon")
    rated(fesa, 1500, club)
    assert client.get(f"{club.get_absolute_url()}?{query}").status_code == 200


def test_member_who_came_back_is_shown_once(client, fesa):
    club, other = Club.objects.create(name="Lyon"), Club.objects.create(name="Paris")
    player = rated(fesa, 1500)
    for one, start, end in ((club, "2015-01-01", "2016-01-01"), (other, "2016-01-01", "2017-01-01")):
        Membership.objects.create(player=player, club=one, start=start, end=end)
    Membership.objects.create(player=player, club=club, start="2018-02-03")
    (row,) = client.get(club.get_absolute_url()).context["members"].rows
    assert (row.record, str(row.get_cell("start"))) == (player, "3 Feb 2018")


def test_club_shows_accepted_events_and_promotions_of_members(client, fesa, rate_all):
    """Both win a grade; B is no member."""
    club, a, b = Club.objects.create(name="Lyon"), make_player("A"), make_player("B")
    give_rating(fesa, a, 1795, grade="1 Dan")
    give_rating(fesa, b, 1795, grade="1 Dan")
    Membership.objects.create(player=a, club=club)
    event = make_event("Cup", "2024-03-02", [fesa], club=club)
    make_event("Draft", "2024-03-03", [fesa], club=club, state=Event.State.DRAFT)
    make_table(fesa, [a, make_player()], [(n, 1, 2, 1.0) for n in range(1, 9)], "2024-03-02", event=event)
    rate_all()
    fesa.awards.create(player=b, day="2024-03-02", place=0, grade="2 Dan", how="given")
    fesa.awards.create(player=a, day="2024-03-03", place=0, grade="2 Dan", how="given")
    response = client.get(club.get_absolute_url())
    assert [one.name for one in response.context["events"]] == ["Cup"]
    assert {award.player for award in response.context["promotions"]} == {a}


def test_names_of_clubs_and_members_are_escaped(client, fesa):
    club = Club.objects.create(name="<script>alert(1)</script>", city="\"'&<b>", country="FR")
    rated(fesa, 1500, club, family_name="<script>alert(1)</script>")
    for address in ("/clubs/?q=<script>", club.get_absolute_url(), "/countries/FR/"):
        page = markup(client.get(address))
        assert "<script>alert" not in page
        assert "<b>" not in page


def test_wrong_methods_and_strangers_are_refused(client):
    club = Club.objects.create(name="Lyon")
    assert client.post("/clubs/").status_code == 405
    assert client.post(club.get_absolute_url()).status_code == 405
    assert client.get("/clubs/NOBODY-lyon/").status_code == 404


def test_cached_member_page_updates_its_next_page(client, fesa):
    club = Club.objects.create(name="Large")
    for number in range(50):
        rated(fesa, 2000 - number, club)
    assert 'rel="next"' not in markup(client.get(club.get_absolute_url()))
    rated(fesa, 1000, club)
    page = markup(client.get(club.get_absolute_url()))
    assert ('rel="next"' in page, "Page 1 of 2" in page) == (True, True)
