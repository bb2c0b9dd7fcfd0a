"""Player, event, explanation, club and front pages."""

import datetime as dt
import re

import pytest
from django.utils import timezone
from django.utils.html import escape

from portal.templatetags.portal_format import signed
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.domain.runs.rerating import rerate
from ratings.models import Adjustment, Change, Club, Decision, Event, ListPlayer, Membership, Player, RatingList, Table
from ratings.queries.events.crosstables import crosstables
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def fesa():
    return make_list()


@pytest.fixture
@reused
def cup(fesa, rate_all):
    """A, B and C in three rounds; A wins a grade and gives C a handicap, C has a bye."""
    a, b, c = make_player("A", country="DE"), make_player("B", country="FR"), make_player("C", country="CZ")
    give_rating(fesa, a, 1790, grade="1 Kyu")
    give_rating(fesa, b, 1900, grade="2 Dan")
    games = [
        (1, 1, 2, 1.0),
        (1, 3, None, 1.0),
        (2, 1, 3, 0.5, {"handicap": "2p", "giver": "a"}),
        (2, 2, None, 0.5),
        (3, 2, 3, 1.0),
        (3, 1, None, 0.0),
    ]
    table = make_table(fesa, [a, b, c], games, "2024-03-02", event_name="Spring Cup")
    rate_all()
    return table


def test_event_shows_the_crosstable_in_the_federations_notation(client, fesa, cup):
    response = client.get(cup.event.get_absolute_url())
    (crosstable,) = crosstables(cup.event, fesa)
    a, b, c = (Change.objects.get(table=cup, player__family_name=name) for name in "ABC")
    assert [
        (row.entry.number, [" ".join(cell.text for cell in cells) for cells in row.rounds], row.points, row.rating)
        for row in crosstable.rows
    ] == [
        (1, ["2+", "3=(-2p)", "0-"], 1.5, 1790),
        (2, ["1-", "0=", "3+"], 1.5, 1900),
        (3, ["0+", "1=(+2p)", "2-"], 1.5, c.after),
    ]
    page = markup(response)
    assert f">{a.change:+.0f}</a>" in page
    assert f">{signed(b.change)}</a>" in page
    assert "→ 1 Dan" in markup(client.get(f"/events/{cup.event.public_id}/crosstable/"))
    assert [row.is_new_rating for row in crosstable.rows] == [False, False, True]


@pytest.mark.parametrize("size", [4, 60])
def test_event_needs_the_same_queries_for_any_size(size, client, fesa, rate_all, django_assert_num_queries):
    players = [make_player() for _ in range(size)]
    games = [(1, number, number + 1, 1.0) for number in range(1, size, 2)]
    table = make_table(fesa, players, games)
    rate_all()
    with django_assert_num_queries(15):
        client.get(table.event.get_absolute_url())
    with django_assert_num_queries(11):  # neither games nor changes nor awards once it is kept
        client.get(table.event.get_absolute_url())


def test_event_of_two_lists_shows_the_chosen_one(client, fesa, rate_all):
    other, a, b = make_list("other"), make_player("A"), make_player("B")
    give_rating(fesa, a, 2000)
    give_rating(other, a, 1000)
    table = make_table(None, [a, b], [(1, 1, 2, 0.5)], event=make_event(lists=[fesa, other]))
    rate_all()
    assert client.get(table.event.get_absolute_url()).context["rating_list"] == fesa
    chosen = client.get(table.event.get_absolute_url() + "?list=other")
    assert chosen.context["rating_list"] == other
    crosstable = client.get(f"/events/{table.event.public_id}/crosstable/?list=other")
    assert markup(crosstable).count("<td>1000") == 4  # rating and performance of both
    assert [row.rating for row in crosstables(table.event, other)[0].rows] == [1000, 1000]


def test_table_downloads_are_written_from_the_data(client, fesa, cup):
    address = f"/events/{cup.event.public_id}/{cup.pk}"
    grid = client.get(f"{address}/grid.txt")
    assert grid["Content-Type"] == "text/plain; charset=iso-8859-1"
    assert grid.content.decode("latin-1").splitlines() == [
        "[Spring Cup, 2024-03-02]",
        "[2024-03-02]",
        "Nr Name Nat 1 2 3 Pts",
        "1 [A] [] DE [2+ 3=(-2p) 0-] 3/2",
        "2 [B] [] FR [1- 0= 3+] 3/2",
        "3 [C] [] CZ [0+ 1=(+2p) 2-] 3/2",
    ]
    published = client.get(f"{address}/published.txt?list=fesa").content.decode("latin-1")
    assert published.startswith("Spring Cup : 2024-03-02\nNr Name")
    assert published.endswith("\n\nPromoting A to 1 Dan\n")
    assert client.get(f"{address}/other.txt").status_code == 404
    assert client.get(f"/events/{cup.event.public_id}/999/grid.txt").status_code == 404


def test_drafts_are_not_public(client, fesa, rate_all):
    event = make_event(lists=[fesa], state=Event.State.DRAFT)
    a, b = make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], event=event)
    rate_all()
    assert client.get(event.get_absolute_url()).status_code == 404
    assert event.name not in markup(client.get("/events/"))


def test_player_page_shows_their_history(client, fesa, cup):
    a = cup.entries.get(number=1).player
    ListPlayer.objects.create(list=fesa, player=a, prior_grade="2 Dan")
    club = Club.objects.create(name="Shogi Berlin")
    Membership.objects.create(player=a, club=club)
    response = client.get(a.get_absolute_url())
    change = Change.objects.get(table=cup, player=a)
    steps = response.context["steps"]
    assert [(str(step.point.day), step.point.before, step.point.after, step.points) for step in steps] == [
        ("2024-03-02", 1790, change.after, 1.5),  # a win and a draw; the absence is no game
        ("2020-01-01", None, 1790, 0),
    ]
    groups = client.get(f"/players/{a.public_id}/games/").context["groups"]
    games = [game.played for group in groups for game in group.games]
    assert [(p.row.round, p.opponent and p.opponent.name, p.result, p.row.theirs, p.row.cell.mark) for p in games] == [
        (3, None, "0", None, ""),
        (2, "C", "½", None, "(-2p)"),
        (1, "B", "1", 1900, ""),
    ]
    assert [line.grade for line in response.context["grades"]] == ["1 Dan", "1 Kyu"]
    assert response.context["graph"]["graph"].points[0] == [
        {
            "date": "2020-01-01",
            "rating": 1790,
            "change": None,
            "deviation": None,
            "event": "opening",
            "played": False,
            "table": None,
            "rated": False,
            "closing": False,
            "gap": False,
            "idle": False,
            "mark": None,
        },
        {
            "date": "2024-03-02",
            "rating": change.after,
            "change": change.change,
            "deviation": None,
            "event": "Spring Cup",
            "played": True,
            "table": cup.pk,
            "rated": True,
            "closing": False,
            "gap": False,
            "idle": False,
            "mark": {"grade": "1 Dan", "kind": "promotion"},
        },
    ]
    assert response.context["graph"]["graph"].bands == [
        {"grade": "1 Dan", "from": 1680},
        {"grade": "2 Dan", "from": 1800},
    ]
    page = markup(response)
    for text in (
        "Shogi Berlin",
        "2 Dan elsewhere",
        "Adjustment: opening",
        "Held before the first rated",
    ):
        assert text in page


@pytest.mark.parametrize("tables", [1, 100])
def test_player_page_needs_the_same_queries_for_5_and_500_games(
    tables, client, fesa, rate_all, django_assert_num_queries
):
    a, *others = [make_player() for _ in range(6)]
    games = [(round_, 1, round_ + 1, 0.5) for round_ in range(1, 6)]
    for number in range(tables):
        day = f"20{number // 12:02}-{number % 12 + 1:02}-01"
        make_table(fesa, [a, *others], games, day)
    rate_all()
    with django_assert_num_queries(15):  # one asks if an import keeps them active
        response = client.get(a.get_absolute_url())
    assert response.context["summary"].all.games == 5 * tables


def test_old_and_short_addresses_lead_to_the_right_page(client, cup):
    a = cup.entries.get(number=1).player
    for address in (f"/players/{a.public_id}/", f"/players/{a.public_id}-old-name/"):
        assert client.get(address)["Location"] == a.get_absolute_url()
    event = cup.event
    assert client.get(f"/events/{event.public_id}/")["Location"] == event.get_absolute_url()
    assert client.get("/players/NOBODY-x/").status_code == 404
    assert client.get("/events/NOBODY-x/").status_code == 404


def test_player_in_another_script_has_an_address(client):
    player = make_player("山本", "太一", native_name="山本 太一")
    assert client.get(player.get_absolute_url()).status_code == 200
    assert "Not rated yet." in markup(client.get(player.get_absolute_url()))


def test_page_of_an_erased_person_says_so(client, fesa, rate_all):
    a, b = make_player(country=""), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-01-06")
    rate_all()
    Player.objects.filter(pk=a.pk).update(erased_at=timezone.now(), shown="anonymous", country="")
    a.refresh_from_db()
    page = markup(client.get(a.get_absolute_url()))
    assert "The personal data of this player was deleted. Results and ratings stay." in page
    assert re.search(r'<p class="quiet factline">\s*<span>id ', page)


def test_withdrawn_player_shows_no_rating(client, fesa, rate_all):
    a, b = make_player(), make_player()
    ListPlayer.objects.create(list=fesa, player=a, withdrawn=True)
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-01-06")
    rate_all()
    response = client.get(a.get_absolute_url())
    assert response.context["asked"].standings == []
    assert "This player’s rating was withdrawn and is not published." in markup(response)
    assert "Not rated yet." not in markup(response)
    listed = markup(client.get("/lists/fesa/?active=all"))
    assert (escape(b.name) in listed, escape(a.name) in listed) == (True, False)


def explain(client, table, player):
    return client.get(f"/lists/fesa/tables/{table.pk}/{player.public_id}/")


def test_explanation_shows_the_arithmetic_that_made_the_number(client, fesa, cup):
    a = cup.entries.get(number=1).player
    explanation = explain(client, cup, a).context["explanation"]
    assert explanation.agrees
    terms = explanation.row.terms
    assert [(explanation.names[term["opponent"]], term["score"], term["k"]) for term in terms] == [
        ("B", 1, 24),
        ("C", 0.5, 24),
    ]
    assert sum(term["change"] for term in terms) == pytest.approx(explanation.row.figures["sum"])
    page = markup(explain(client, cup, a))
    figures = explanation.row.figures
    actual = [f"{line.label} {line.value:.4f}" for line in explanation.explained.lines]
    assert actual == [
        "Rating before 1790.0000",
        f"Sum of the games {figures['sum']:.4f}",
        f"Exact result {1790 + figures['sum']:.4f}",
        f"Rounded {round(1790 + figures['sum']):.4f}",
    ]
    assert f"<dd>{figures['sum']:+.2f}</dd>" in page
    assert "<strong>1 Dan</strong> – rating passed the grade above" in page


def test_explanation_of_an_unrated_player_shows_their_performance(client, cup):
    c = cup.entries.get(number=3).player
    page = markup(explain(client, cup, c))
    assert "Performance over all these games" in page


def facts_of(page):
    """The figures at the head of a page, by their names."""
    head = page.partition('<dl class="facts big">')[2].partition("</dl>")[0]
    pairs = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", head)
    return {name: " ".join(re.sub(r"<[^>]+>", " ", value).split()) for name, value in pairs}


def test_explanation_says_when_points_of_a_closing_day_count(client, rate_all):
    renju, a, b = make_list("renju", system="rif-1995"), make_player("Ara"), make_player("Bel")
    for player in (a, b):
        day = dt.date(1996, 1, 1)
        save_adjustment(Adjustment(list=renju, player=player, date=day, set={"rating": 2300}, reason="opening"))
    first = make_table(renju, [a, b], [(1, 1, 2, 1.0)], "1996-06-01")
    make_table(renju, [a, b], [(1, 1, 2, 1.0)], "1996-07-01")
    rate_all()
    address = f"/lists/renju/tables/{first.pk}/{a.public_id}/"
    page = markup(client.get(address))
    # an even game brings 32 × (1 − ½) = 16 points (rules/rif-1995.md), counted on the list day after the event
    assert facts_of(page) == {
        "Before": "2300", "Points won or lost": "+16", "Rating until 31 Aug 1996": "2300",
        "Rating on 31 Aug 1996": "2332 +32", "Expected": "0.50 of 1", "Scored": "1 of 1", "Rated as": "official",
    }  # fmt: skip
    assert "The change of +16 counts from the official list of 31 Aug 1996, together with" in page


def test_explanation_adds_up_where_the_event_moves_the_rating(client, fesa, cup):
    a = cup.entries.get(number=1).player
    change = Change.objects.get(table=cup, player=a)
    facts = facts_of(markup(explain(client, cup, a)))
    assert (facts["Before"], facts["After"]) == (
        "1790 1 Kyu", f"{1790 + change.change:.0f} {change.change:+.0f} 1 Dan",
    )  # fmt: skip


def test_explanation_starts_from_the_states_that_came_to_the_table(client, fesa, cup, rate_all):
    a, b = (cup.entries.get(number=number).player for number in (1, 2))
    later = make_table(fesa, [a, b], [(1, 1, 2, 0.0)], "2024-03-02", event_name="Later the same day")
    make_table(fesa, [a, b], [(1, 1, 2, 0.0)], "2024-05-02")
    rate_all()
    for table in (cup, later):
        assert explain(client, table, a).context["explanation"].agrees


def test_explanation_says_so_when_the_stored_number_is_another(client, cup):
    a = cup.entries.get(number=1).player
    Change.objects.filter(table=cup, player=a).update(after=1999)
    page = markup(explain(client, cup, a))
    assert "Computed again for this page the rating is" in page
    assert "1999 is stored" in page


def test_explanation_follows_decisions_on_the_table(client, fesa, cup, rate_all):

    a = cup.entries.get(number=1).player
    save_adjustment(
        Decision(list=fesa, player=a, grade="1 Dan", ruling="withheld", date=cup.last_day, before=cup, reason="r")
    )
    rate_all()
    explanation = explain(client, cup, a).context["explanation"]
    assert (explanation.agrees, explanation.row.awards) == (True, ())


def test_explanation_of_a_missing_table_is_404(client, cup):
    a = cup.entries.get(number=1).player
    for address in (
        f"/lists/nope/tables/{cup.pk}/{a.public_id}/",
        f"/lists/fesa/tables/999/{a.public_id}/",
        f"/lists/fesa/tables/{cup.pk}/NOBODY/",
        f"/lists/fesa/tables/{10**30}/{a.public_id}/",
    ):
        assert client.get(address).status_code == 404


def test_table_that_cannot_settle_or_is_large_warns(client, fesa, rate_all):
    a, b = make_player("A"), make_player("B")
    give_rating(fesa, a, 2000)
    table = make_table(fesa, [a, b], [(round_, 1, 2, 0.5) for round_ in range(1, 18)])
    rate_all()
    assert "split the results by date" in markup(client.get(table.event.get_absolute_url()))


def test_club_pages_list_present_members(client, fesa, cup):
    a, b = (cup.entries.get(number=number).player for number in (1, 2))
    club = Club.objects.create(name="Shogi Lyon", city="Lyon", country="FR")
    Membership.objects.create(player=a, club=club)
    Membership.objects.create(player=b, club=club, start="2020-01-01", end="2021-01-01")
    assert [(line.club.name, line.members) for line, _ in client.get("/clubs/").context["lines"]] == [("Shogi Lyon", 1)]
    response = client.get(club.get_absolute_url())
    assert [row.record for row in response.context["members"].rows] == [a]
    assert client.get(f"/clubs/{club.public_id}/")["Location"] == club.get_absolute_url()
    assert client.get("/clubs/NOBODY/").status_code == 404


def test_front_page_shows_what_is_new(client, cup, django_assert_num_queries):
    with django_assert_num_queries(24):
        response = client.get("/")
    assert (response.context["latest"].event.name, response.context["events"]) == ("Spring Cup", [])
    assert [(award.player.name, award.grade) for award in response.context["promotions"]] == [("A", "1 Dan")]


def test_front_page_names_winners_and_the_upset_of_the_year(client, fesa, rate_all):
    ada, ben = make_player("Ada"), make_player("Ben")
    for player, rating in ((ada, 1500), (ben, 1900)):
        give_rating(fesa, player, rating)
    for days, name, score in ((100, "Autumn Cup", 1.0), (10, "Winter Cup", 0.0)):
        day = timezone.now().date() - dt.timedelta(days=days)
        table = make_table(fesa, [ada, ben], [(1, 1, 2, score)], day.isoformat(), event_name=name)
    rate_all()
    page = re.sub(r"<[^>]+>|\s+", " ", markup(client.get("/")))
    assert "won by Ada" in re.sub(" +", " ", page)
    # 400 points less: 1 / (1 + 10 ** (400 / 400)) = 9 %
    sentence = "Upset of the year Ada (1500) beat Ben (1900) at Autumn Cup ; the chance of that was 9 %."
    assert sentence in re.sub("[ \u00a0]+", " ", page)
    autumn = Table.objects.exclude(pk=table.pk).get()
    assert f"/lists/fesa/tables/{autumn.pk}/{ada.public_id}/" in markup(client.get("/"))


def test_front_page_names_the_next_event_of_the_federation(client, fesa):
    today = timezone.now().date()
    for name, days, lists in (("Later", 30, [fesa]), ("Next", 5, [fesa]), ("Over", -5, [fesa])):
        make_event(
            name, str(today + dt.timedelta(days=days)), lists, announced_at=timezone.now(), place="Lyon", country="FR"
        )
    page = markup(client.get("/"))
    cover = page.partition('<div class="next">')[2].partition("</div>")[0]
    assert ("Next event, in 5 days" in cover, ">Next</a>" in cover, "Lyon, France ·" in cover) == (True, True, True)
    assert re.findall(r">(Later|Next|Over)</a>", page.partition("Coming events</h2>")[2]) == ["Next", "Later"]
    make_list("icu", system="icu-1989", federation="Chess Union")
    assert '<div class="next">' not in markup(client.get("/federations/chess-union/"))


@pytest.mark.parametrize("address", ["/", "/events/", "/clubs/", "/countries/", "/rules/"])
def test_empty_site_is_readable(address, client):
    assert client.get(address).status_code == 200


def test_moved_table_keeps_its_explanation(client, fesa, cup, rate_all):
    a, b, c = (cup.entries.get(number=number).player for number in (1, 2, 3))
    cup.last_day = cup.first_day = cup.last_day.replace(month=6)
    save_table(cup, [NewEntry(a, 1), NewEntry(b, 2), NewEntry(c, 3)], [NumberedGame(1, 1, 2, 1.0)])
    assert client.get(cup.event.get_absolute_url()).status_code == 200  # while the work is pending
    rate_all()
    assert explain(client, cup, a).context["explanation"].agrees
    assert (rerate(fesa.pk), RatingList.objects.get().out_of_date_from, Table.objects.count()) == (None, None, 1)


def test_player_taken_out_of_a_table_has_no_explanation_any_more(client, fesa, cup):
    a, b, c = (cup.entries.get(number=number).player for number in (1, 2, 3))
    save_table(cup, [NewEntry(a, 1), NewEntry(b, 2)], [NumberedGame(1, 1, 2, 1.0)])
    assert explain(client, cup, c).status_code == 404
    assert explain(client, cup, a).status_code == 200


def test_rating_of_a_withdrawn_player_is_shown_nowhere(client, fesa, cup, rate_all):
    a = cup.entries.get(number=1).player
    save_list_player(ListPlayer(list=fesa, player=a, withdrawn=True))
    rate_all()
    (crosstable,) = crosstables(cup.event, fesa)
    assert [(row.rating is None, row.awards) for row in crosstable.rows] == [(True, []), (False, []), (False, [])]
    assert client.get("/").context["promotions"] == []
    assert client.get("/lists/fesa/promotions/").context["page"].paginator.count == 0
    assert explain(client, cup, a).status_code == 404


@pytest.mark.parametrize("given", [{"birth_date": "1970-05-01"}, {"birth_year": 1970}])
def test_birth_year_is_shown_only_where_the_player_allows_it(given, client, fesa, rate_all):
    player = make_player("A", **given)
    assert "1970" not in markup(client.get(player.get_absolute_url()))
    Player.objects.update(birth_public=True)
    page = markup(client.get(player.get_absolute_url()))
    assert "born 1970" in page
    assert "1970-05" not in page
    Player.objects.update(shown="anonymous")  # an officer hides the name, and the choice about the year stays
    assert "1970" not in markup(client.get(Player.objects.get().get_absolute_url()))
