"""The page of an event: what it tells of itself, and that no part of it outlives what it tells."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache

from portal.events import event_tabs
from portal.templatetags.portal_format import signed
from ratings.access import OFFICERS
from ratings.domain.events.tables import NewEntry, NumberedGame, save_details, save_event, save_table
from ratings.domain.lists.adjustments import save_adjustment, save_list, save_list_player
from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.deleting import delete_table
from ratings.domain.results.steps import record_event_step
from ratings.domain.results.submitting import announce_event
from ratings.domain.site.acting import act_as
from ratings.models import Adjustment, Event, EventStep, ListPlayer, Player, Run, Submission, Table, TableFacts, Upload
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db

NASTY = "<script>alert(1)</script>"


@pytest.fixture
@reused
def fesa():
    return make_list()


@pytest.fixture
@reused
def cup(fesa, rate_all):
    a, b, c = make_player(NASTY, "Zoë", country="DE"), make_player("Berg"), make_player("Claus", country="")
    give_rating(fesa, a, 1790, grade="1 Kyu")
    give_rating(fesa, b, 1900, grade="2 Dan")
    event = make_event("Spring Cup", "2024-03-02", [fesa])
    seats = [NewEntry(a, 1, 1.0), NewEntry(b, 2, 1.0), NewEntry(c, 3)]
    pairings = [NumberedGame(1, 1, 2, 1.0), NumberedGame(1, 3, None, 1.0, played=False), NumberedGame(2, 1, 3, 0.5),
                NumberedGame(2, 2, None, 0.5, played=False)]  # fmt: skip
    table = save_table(Table(event=event, first_day=event.start, last_day=event.end), seats, pairings)
    rate_all()
    return table


def page_of(client, event, query=""):
    return markup(client.get(event.get_absolute_url() + query))


def crosstable_of(client, event, query=""):
    return markup(client.get(f"/events/{event.public_id}/crosstable/{query}"))


def rows_of(page):
    """The texts of the crosstable's cells, row by row."""
    table = re.search(r'<table class="crosstable[^"]*">.*?</table>', page, re.DOTALL)[0]
    rows = re.split(r"<tr[^>]*>", table)[1:]
    return [[re.sub(r"<.*?>", "", cell).strip() for cell in re.split(r"<t[hd](?: [^>]*)?>", row)[1:]] for row in rows]


def test_row_shows_place_grade_rounds_points_sums_and_what_they_changed(client, cup):
    """A has 1 + 1½ points, B 1 + ½, C 1½. SOS of A 1½ + 1½, of B 2½, of C 2½; SODOS of A 1½ + ¾, of C 1¼."""
    page = crosstable_of(client, cup.event)
    a, b, c = (change for _, change in sorted((change.player_id, change) for change in cup.changes.all()))
    performance = {one: "" if one.performance is None else f"{one.performance:.0f}" for one in (a, b, c)}
    nasty = "&lt;script&gt;alert(1)&lt;/script&gt;, Zoë"
    assert rows_of(page) == [
        ["Nr", "Name", "Pl", "Nat", "Grade", "Rating", "1", "2", "Pts", "MMS", "SOS", "SODOS", "±", "Perf"],
        ["1", nasty, "1", "DE", "1 Kyu → 1 Dan", "1790", "3+", "2=", "1½", "2½", "3", "2.25", signed(a.change),
         performance[a]],
        ["2", "Claus", "2", "", "", f"{c.after:.0f}*", "bye", "1=", "1½", "1½", "2.5", "1.25", "new",
         performance[c]],
        ["3", "Berg", "3", "FR", "2 Dan", "1900", "1−", "half bye", "½", "1½", "2.5", "0", signed(b.change),
         performance[b]],
    ]  # fmt: skip
    assert NASTY not in page
    assert '<a href="#r3" aria-label="won against Berg, 3+">3<b>+</b></a>' in page
    assert '<tr id="r2">' in page
    assert f'<a href="/players/{Player.objects.get(given_name="Zoë").public_id}/">' in page


def test_crosstable_closes_every_element(client, cup):
    table = re.search(r"<table.*?</table>", crosstable_of(client, cup.event), re.DOTALL)[0]
    open_, unclosed = [], []
    for slash, name in re.findall(r"<(/?)([a-z]+)", table):
        if slash:
            unclosed += [] if open_ and open_.pop() == name else [name]
        else:
            open_.append(name)
    assert (open_, unclosed) == ([], [])


def test_chess_names_the_same_sums_otherwise(client, rate_all):
    event = make_event("Open", lists=[make_list("icu", system="icu-1989")])
    make_table(None, [make_player(), make_player()], [(1, 1, 2, 1.0)], event=event)
    rate_all()
    assert rows_of(crosstable_of(client, event))[0] == [
        "Nr",
        "Name",
        "Pl",
        "Nat",
        "Rating",
        "1",
        "Pts",
        "BH",
        "SB",
        "±",
        "Perf",
    ]


def test_table_on_no_list_is_shown_without_ratings_and_not_kept(client):
    event = make_event("Fun", tie_breaks="sos,sodos")
    table = make_table(None, [make_player("Ada"), make_player("Ben")], [(1, 1, 2, 1.0)], event=event)
    expected = [["Nr", "Name", "Pl", "Nat", "1", "Pts", "SOS", "SODOS"], ["1", "Ada", "1", "FR", "2+", "1", "0", "0"],
                ["2", "Ben", "2", "FR", "1−", "0", "1", "0"]]  # fmt: skip
    assert rows_of(crosstable_of(client, event)) == expected
    table.games.update(score=0.0)
    assert [(row[1], row[4]) for row in rows_of(crosstable_of(client, event))[1:]] == [("Ben", "2+"), ("Ada", "1−")]


def text_of(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_table_shows_who_won_and_what_its_columns_say(client, cup):
    text = text_of(crosstable_of(client, cup.event))
    b, c = (entry.player for entry in cup.entries.order_by("number")[1:])
    # by MacMahon score 2½, 1½ and 1½; the points won are those of the two rounds
    assert "1 &lt;script&gt;alert(1)&lt;/script&gt; , Zoë 1½ of 2" in text
    assert text.index(f"2 {c} 1½ of 2") < text.index(f"3 {b} ½ of 2")
    assert "Countries FR France, DE Germany" in text
    for meaning in (
        "MMS MacMahon score",
        "SODOS sum of the defeated",
        "Grade grade before",
        "1 – 2 3+ beat the player in row 3",
    ):
        assert meaning in text


def test_days_rounds_and_countries_are_written_in_the_language_of_the_page(client, cup):
    Event.objects.update(end="2024-03-03")
    text = text_of(markup(client.get(f"/events/{cup.event.public_id}/crosstable/", headers={"Accept-Language": "ja"})))
    for part in ("2024年3月2日 ～ 2024年3月3日", "国 DE ドイツ、FR フランス", "1～2 3+は3行目の選手への勝ち"):
        assert part in text
    page = page_of(client, cup.event)
    times = '<time datetime="2024-03-02">2 Mar 2024</time> – <time datetime="2024-03-03">3 Mar 2024</time>'
    assert times in page


def test_table_without_places_names_no_winner(client, fesa):
    event, players = make_event("Club night", lists=[fesa]), [make_player("Ada"), make_player("Ben")]
    make_table(fesa, players, [(1, 1, 2, 1.0)], event=event, tournament=False)
    assert 'class="podium"' not in page_of(client, event)
    guide = text_of(markup(client.get(f"/events/{event.public_id}/crosstable/")))
    assert "3= was a draw." in guide
    assert "finishing order" not in guide


def test_places_that_nearly_all_share_are_not_shown(client, fesa):
    event, players = make_event("Draws", lists=[fesa]), [make_player(f"Player {n}") for n in range(8)]
    make_table(fesa, players, [(1, n, n + 1, 0.5) for n in range(1, 8, 2)], event=event)
    assert 'class="podium"' not in page_of(client, event)


def test_cached_page_equals_the_rendered_page(client, cup, monkeypatch):
    first = page_of(client, cup.event)
    monkeypatch.setattr(event_tabs, "_render_parts", lambda *_: pytest.fail("made again"))
    assert page_of(client, cup.event) == first


def by_a_run(cup, fesa):
    save_adjustment(Adjustment(list=fesa, player=cup.entries.get(number=2).player, date=dt.date(2024, 1, 1),
                        set={"rating": 2300}, reason="r"))  # fmt: skip


def by_a_correction(cup, fesa):
    seats = [NewEntry(entry.player, entry.number) for entry in cup.entries.order_by("number")]
    save_table(cup, seats, [NumberedGame(1, 2, 1, 1.0)])


def by_withdrawing(cup, fesa):
    save_list_player(ListPlayer(list=fesa, player=cup.entries.get(number=2).player, withdrawn=True))


def by_leaving_it_unrated(cup, fesa):
    cup.rated = False
    save_details(cup)


@pytest.mark.parametrize("change", [by_a_run, by_a_correction, by_withdrawing, by_leaving_it_unrated])
def test_no_page_outlives_an_input_or_a_run(change, client, fesa, cup, rate_all):
    def shown_and_made():
        shown = crosstable_of(client, cup.event)
        cache.clear()
        return shown, crosstable_of(client, cup.event)

    before = crosstable_of(client, cup.event)
    change(cup, fesa)
    shown, made = shown_and_made()
    assert shown == made != before  # while the work is pending
    pending = shown
    rate_all()
    shown, made = shown_and_made()
    assert shown == made != pending
    assert rows_of(shown) != rows_of(before)


def test_no_page_outlives_a_name(client, cup):
    berg = Player.objects.get(family_name="Berg")
    assert "Berg" in page_of(client, cup.event)
    set_visibility(berg, "initials")
    assert [row[1] for row in rows_of(crosstable_of(client, cup.event))[2:]] == ["Claus", "B."]
    set_visibility(berg, "anonymous")
    page = page_of(client, cup.event)
    assert [row[1] for row in rows_of(page)[2:]] == ["Claus", f"Player {berg.public_id}"]
    assert "berg" not in page.lower()
    set_visibility(berg, "full")
    Player.objects.filter(pk=berg.pk).update(family_name="Tal", country="LV")
    assert rows_of(crosstable_of(client, cup.event))[3][1:4] == ["Tal", "3", "LV"]


def test_no_page_outlives_a_merge(client, cup, rate_all):
    page_of(client, cup.event)
    kept = make_player("Kept")
    merge_players(Player.objects.get(family_name="Claus"), kept, reason="one")
    assert rows_of(crosstable_of(client, cup.event))[2][1] == "Kept"
    rate_all()
    page = page_of(client, cup.event)
    assert f'href="/players/{kept.public_id}/"' in page
    assert "Claus" not in page


def test_renamed_table_is_shown_by_its_name(client, cup):
    page_of(client, cup.event)
    Table.objects.update(name="Group A")
    assert "Group A</h2>" in page_of(client, cup.event)


def status(page):
    return re.sub(r"<.*?>", "", re.search(r"<span class=\"tag state[^>]*>(.*?)</span>", page)[1].strip())


def test_status_of_an_event_is_shown_in_words(client, fesa, cup, rate_all):
    assert status(page_of(client, cup.event)) == "rated"
    by_a_run(cup, fesa)
    assert status(page_of(client, cup.event)) == "being rated"
    rate_all()
    record_event_step(cup.event, EventStep.What.ACCEPTED)
    EventStep.objects.update(at=dt.datetime(2024, 3, 5, tzinfo=dt.UTC))
    Run.objects.update(ended_at=dt.datetime(2024, 3, 6, tzinfo=dt.UTC))
    assert status(page_of(client, cup.event)) == "rated on 6 Mar 2024"
    by_leaving_it_unrated(cup, fesa)
    assert status(page_of(client, cup.event)) == "not rated"


@pytest.mark.parametrize(
    ("day", "state", "expected", "stage"),
    [
        ("2999-01-01", "draft", "announced", "Coming"),
        ("2999-01-01", "submitted", "announced", "Submitted"),
        ("2024-01-01", "draft", "finished, results to come", "Draft"),
        ("2024-01-01", "returned", "finished, results to come", "Sent back"),
        ("2024-01-01", "submitted", "finished, results being checked", "Submitted"),
    ],
)
def test_announced_event_has_a_page_and_nothing_of_its_results(day, state, expected, stage, client, fesa):
    event = make_event("Winter Open", day, [fesa], state=state)
    make_table(None, [make_player("Secret"), make_player()], [(1, 1, 2, 1.0)], event=event)
    assert client.get(event.get_absolute_url()).status_code == 404
    announce_event(event)
    page = page_of(client, event)
    assert status(page) == expected
    assert "Secret" not in page
    assert 'crosstable"' not in page
    officer = make_user("officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(officer)
    page = f"/organise/events/{event.public_id}/"
    for address in (page, f"{page}history/"):
        assert f">{stage}</span></p>" in markup(client.get(address))
    for address in ("/organise/", "/organise/events/"):
        assert f">{stage}</span>" in markup(client.get(address))


def test_announced_event_with_entered_results_is_a_draft(client, fesa):
    event = make_event("Winter Open", "2999-01-01", [fesa], state="draft")
    announce_event(event)
    Submission.objects.create(event=event, first_day=event.start, last_day=event.end)
    officer = make_user("officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(officer)
    assert '<span class="tag accent">Draft</span></p>' in markup(client.get(f"/organise/events/{event.public_id}/"))


def test_event_whose_tables_were_deleted_says_so(client, cup):
    with act_as(make_user("officer")):
        delete_table(cup, reason="entered twice")
    page = page_of(client, cup.event)
    assert (status(page), "The results of this event were deleted." in page) == ("not rated", True)
    assert ("Rated on:" in page, "Lists:" in page) == (False, True)


def test_correction_is_reported_with_its_reason_and_whom_it_changed(client, fesa, rate_all):
    a, b, c = make_player("Ada"), make_player("Ben"), make_player("Cora")
    for player in (a, b, c):
        give_rating(fesa, player, 2000)
    cup = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-01")
    make_table(fesa, [b, c], [(1, 1, 2, 1.0)], "2024-02-01")
    rate_all()
    save_table(cup, [NewEntry(a, 1), NewEntry(b, 2)], [NumberedGame(1, 1, 2, 0.0)])
    record_event_step(cup.event, EventStep.What.CORRECTED, "the result of round 1 was turned round")
    rate_all()
    run = Run.objects.latest("pk")
    page = page_of(client, cup.event)
    assert f"Corrected on {run.ended_at.day} {run.ended_at:%b %Y}: the result of round 1 was turned round." in page
    assert f'href="/lists/fesa/corrections/{run.pk}/"' in page
    own = client.get(f"/lists/fesa/corrections/{run.pk}/")
    assert [line.player.family_name for line in own.context["page"]] == ["Ada", "Ben", "Cora"]
    assert client.get(f"/lists/fesa/corrections/{run.pk + 1}/").status_code == 404


@pytest.mark.parametrize(("name", "note"), [(("Geheim", "Zoë"), "Zoe had won"), (("山本", "太一"), "山本太一の勝ち")])
def test_reason_that_names_a_hidden_player_is_not_shown(name, note, client, cup):
    make_player(*name, shown="anonymous")
    record_event_step(cup.event, EventStep.What.CORRECTED, note)
    page = page_of(client, cup.event)
    assert "Corrected on" in page
    assert note not in page
    Player.objects.update(shown="full")
    assert note in page_of(client, cup.event)


def test_events_before_and_after_in_the_order_of_rating_are_linked(client, fesa, rate_all):
    other = make_list("other")
    a, b = make_player(), make_player()
    days = {"Third": "2024-03-01", "First": "2024-01-01", "Second": "2024-02-01", "Elsewhere": "2024-02-10"}
    for name, day in days.items():
        make_table(other if name == "Elsewhere" else fesa, [a, b], [(1, 1, 2, 1.0)], day, event_name=name)
    second = Event.objects.get(name="Second")
    make_table(None, [a, b], [(1, 1, 2, 1.0)], "2024-02-01", event=second, name="Group B")
    rate_all()

    def neighbours(name):
        context = client.get(Event.objects.get(name=name).get_absolute_url()).context
        return context["before"] and context["before"].name, context["after"] and context["after"].name

    assert [neighbours(name) for name in ("First", "Second", "Third", "Elsewhere")] == [
        (None, "Second"), ("First", "Third"), ("Second", None), (None, None),
    ]  # fmt: skip
    assert f'<a rel="next" href="{second.get_absolute_url()}?list=fesa">' in page_of(
        client, Event.objects.get(name="First")
    )


def test_original_files_are_for_organisers_and_officers(client, cup, staff):
    upload = Upload.objects.create(event=cup.event, name="turnering.txt", format="grid", data=b"1 [Berg]")
    assert f'href="/organise/uploads/{upload.pk}/">turnering.txt</a>' in page_of(client, cup.event)
    client.logout()
    assert "turnering.txt" not in page_of(client, cup.event)


def test_reading_sets_no_cookie_and_asks_for_no_session(client, cup):
    response = client.get(cup.event.get_absolute_url())
    assert (response.cookies, response.status_code) == ({}, 200)


@pytest.mark.parametrize("query", ["?list=nope", "?list=%00", "?list=" + "x" * 3000, "?list=fesa&list=[]"])
def test_odd_choice_of_a_list_shows_the_first(query, client, fesa, cup):
    assert client.get(cup.event.get_absolute_url() + query).context["rating_list"] == fesa


def results_of(page):
    """The texts of the results' cells, row by row, without those that only phones show."""
    body = re.search(r'<table class="listing stack.*?<tbody[^>]*>(.*?)</tbody>', page, re.DOTALL)[1]
    rows = re.split(r"<tr[^>]*>", body)[1:]
    cells = ([cell for cell in re.split(r"(?=<td)", row)[1:] if "only-narrow" not in cell] for row in rows)
    return [[" ".join(re.sub(r"<.*?>", "", cell).split()) for cell in row] for row in cells]


def test_results_stand_in_finishing_order_with_their_ratings(client, cup):
    a, b, c = (change for _, change in sorted((change.player_id, change) for change in cup.changes.all()))
    nasty = "&lt;script&gt;alert(1)&lt;/script&gt;, Zoë"
    assert [change.performance is None for change in (a, b, c)] == [False, True, False]
    assert results_of(page_of(client, cup.event)) == [
        ["1", nasty, "1 Dan new", "1790", "1½", "2½", "3", f"{a.performance:.0f}", signed(a.change), f"{a.after:.0f}"],
        ["2", "Claus", "", "–", "1½", "1½", "2.5", f"{c.performance:.0f}", "new", f"{c.after:.0f}"],
        ["3", "Berg", "2 Dan", "1900", "½", "1½", "2.5", "all lost", signed(b.change), f"{b.after:.0f}"],
    ]


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("name", ["&lt;script&gt;alert(1)&lt;/script&gt;, Zoë", "Berg", "Claus"]),
        ("-grade", ["Berg", "&lt;script&gt;alert(1)&lt;/script&gt;, Zoë", "Claus"]),
        ("-before", ["Berg", "&lt;script&gt;alert(1)&lt;/script&gt;, Zoë", "Claus"]),
        ("nonsense", ["&lt;script&gt;alert(1)&lt;/script&gt;, Zoë", "Claus", "Berg"]),
    ],
)
def test_results_are_sorted_by_the_chosen_column(sort, names, client, cup):
    assert [row[1] for row in results_of(page_of(client, cup.event, f"?sort={sort}"))] == names


def test_long_results_show_the_first_players_and_all_in_parts(
    client, fesa, rate_all, monkeypatch, django_assert_num_queries
):
    event, players = make_event("Open", lists=[fesa]), [make_player(f"Player {n:02}") for n in range(30)]
    make_table(None, players, [(1, n, n + 1, 1.0) for n in range(1, 30, 2)], event=event)
    rate_all()
    first = page_of(client, event)
    assert (len(results_of(first)), "Show all 30" in first) == (18, True)
    whole = page_of(client, event, "?rows=all&sort=name")
    assert (len(results_of(whole)), "Show all" in whole) == (30, False)
    assert 'href="?rows=all&amp;sort=-name"' in whole
    monkeypatch.setattr("portal.events.listings.results.ROWS_PER_PART", 20)
    with django_assert_num_queries(15):
        last = page_of(client, event, "?rows=all&sort=name&page=2&evil=1")
    assert [row[1] for row in results_of(last)] == [f"Player {number}" for number in range(20, 30)]
    parts = re.search('<nav class="pages".*?</nav>', last)[0]
    assert re.findall('href="([^"]*)"', parts) == ["?rows=all&amp;sort=name&amp;page=1"]
    assert re.findall(r">\s*([^\s<][^<]*?)\s*<", parts) == ["Players 1–20", "Players 21–30"]


def test_links_of_cached_results_repeat_no_foreign_parameter(client, cup):
    assert "evil" not in re.search(r"<tbody.*</tbody>|<thead.*?</thead>", page_of(client, cup.event, "?evil=1"))[0]


def test_tabs_of_an_event_lead_to_its_tables_parts(client, cup):
    tabs = client.get(cup.event.get_absolute_url()).context["tabs"]
    pages = f"/events/{cup.event.public_id}/"
    assert [(tab.label, tab.address, tab.is_current, tab.count) for tab in tabs] == [
        ("Results", cup.event.get_absolute_url(), True, 0),
        ("Crosstable", f"{pages}crosstable/", False, 0),
        ("Rounds", f"{pages}rounds/", False, 0),
        ("Grades", f"{pages}grades/", False, 1),
    ]
    assert [client.get(tab.address).status_code for tab in tabs] == [200] * 4


def test_round_shows_its_games_and_who_did_not_play(client, cup):
    def pairings(query=""):
        page = markup(client.get(f"/events/{cup.event.public_id}/rounds/{query}"))
        body = re.search(r'<ul class="pairings">(.*?)</ul>', page, re.DOTALL)[1]
        return [text_of(row) for row in body.split("<li>")[1:]]

    nasty = "&lt;script&gt;alert(1)&lt;/script&gt; , Zoë 1790"
    assert pairings("?round=1") == [f"{nasty} 1 – 0 Berg 1900", "Claus bye"]
    assert pairings() == pairings("?round=2") == pairings("?round=7") == pairings("?round=x") == [
        f"{nasty} ½ – ½ Claus", "Berg 1900 half bye",
    ]  # fmt: skip


def test_grades_of_an_event_say_how_they_were_won(client, cup):
    page = text_of(client.get(f"/events/{cup.event.public_id}/grades/").text)
    assert re.search(r"Promoting .* Zoë to 1 Dan \(", page)


def test_event_with_several_tables_shows_one_and_links_the_others(client, fesa, rate_all):
    event, players = make_event("Open", lists=[fesa]), [make_player("Ada"), make_player("Ben"), make_player("Cora")]
    make_table(None, players[:2], [(1, 1, 2, 1.0)], event=event, name="Group A")
    second = make_table(None, players[1:], [(1, 1, 2, 1.0)], event=event, name="Group B")
    rate_all()

    def read_crosstable(query):
        page = client.get(f"/events/{event.public_id}/crosstable/{query}")
        groups = [(group.label, group.address, group.is_current) for group in page.context["groups"]]
        return [row[1] for row in rows_of(markup(page))[1:]], groups

    address = f"/events/{event.public_id}/crosstable/"
    b_address = f"{address}?table={second.pk}"
    for query in ("", "?table=nope", "?table=0"):
        assert read_crosstable(query) == (["Ada", "Ben"], [("Group A", address, True), ("Group B", b_address, False)])
    assert read_crosstable(f"?table={second.pk}") == (
        ["Ben", "Cora"],
        [("Group A", address, False), ("Group B", b_address, True)],
    )
    tabs = client.get(b_address).context["tabs"]
    assert tabs[0].address == f"{event.get_absolute_url()}?table={second.pk}"


@pytest.mark.parametrize("tab", ["crosstable", "rounds", "grades"])
def test_tabs_exist_only_where_results_are_public(tab, client, fesa):
    event = make_event("Winter Open", "2999-01-01", [fesa], state=Event.State.SUBMITTED)
    announce_event(event)
    assert client.get(f"/events/{event.public_id}/{tab}/").status_code == 404
    assert client.get(f"/events/NOPE/{tab}/").status_code == 404


def test_announced_event_with_a_place_leads_to_a_map(client, fesa):
    event = make_event("Winter Open", "2999-01-01", [fesa], state=Event.State.DRAFT, place="Aix & Fils", country="FR")
    announce_event(event)
    link = 'href="https://www.openstreetmap.org/search?query=Aix%20%26%20Fils%2C%20France"'
    assert link in page_of(client, event)
    Event.objects.update(mode=Event.Mode.ONLINE)
    assert "openstreetmap" not in page_of(client, event)


def winner_of(table):
    return TableFacts.objects.get(rated__table=table).winner


ORDERS = [
    ("", None, "Players are listed by points. The event has neither official places nor tie-breaks."),
    ("points", None, "Places are by points. Players with equal points share the place."),
    ("sodos,wins", None, "Places are by points, then by these tie-breaks in order: SODOS, NBW."),
    ("", (2, 1), "The places are official: they came with the results."),
]


@pytest.mark.parametrize(("tie_breaks", "places", "sentence"), ORDERS)
def test_page_says_what_the_players_are_ordered_by(tie_breaks, places, sentence, client, fesa, rate_all):
    """A podium and places stand only where the results or the event state them; the loser won the cup officially."""
    fesa.tie_breaks = ""
    fesa.save()
    event, (first, second) = make_event("Cup", lists=[fesa], tie_breaks=tie_breaks), places or (None, None)
    seats = [NewEntry(make_player("Ada"), 1, None, first), NewEntry(make_player("Ben"), 2, None, second)]
    table = Table(event=event, first_day=event.start, last_day=event.end)
    save_table(table, seats, [NumberedGame(1, 1, 2, 1.0)])
    rate_all()
    page = page_of(client, event)
    assert sentence in text_of(page)
    names = [next(cell for cell in row if cell in ("Ada", "Ben")) for row in results_of(page)]
    assert names == (["Ben", "Ada"] if places else ["Ada", "Ben"])
    has_places = bool(tie_breaks or places)
    assert ('<ol class="podium">' in page, 'class="number pos"' in page) == (has_places, has_places)
    assert str(winner_of(table)) == (names[0] if has_places else "None")


def test_changed_tie_breaks_update_winner(client, fesa, rate_all):
    """Ada, Ben and Cleo have a point each. Ada beat Cleo; Ben and Cleo beat Dora, who has none: SOS of Ada 1, of Cleo
    1, of Ben 0, and SODOS of Ada 1, of Cleo 0.
    """
    event, players = make_event("Cup", lists=[fesa], tie_breaks="points"), [make_player(name) for name in "ABCD"]
    table = make_table(None, players, [(1, 1, 3, 1.0), (1, 2, 4, 1.0), (2, 3, 4, 1.0)], event=event)
    rate_all()
    assert winner_of(table) is None
    event.tie_breaks = "sos,sodos"
    save_event(event)
    rate_all()
    assert winner_of(table) == players[0]
    event.tie_breaks = ""
    save_event(event)
    rate_all()
    assert winner_of(table) == players[0]  # the list states the same
    fesa.refresh_from_db()
    fesa.tie_breaks = ""
    save_list(fesa)
    rate_all()
    assert winner_of(table) is None
