import re
from html import unescape

import pytest

from ratings.domain.events.tables import save_details
from ratings.domain.lists.adjustments import save_list_player
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.results.deleting import delete_table
from ratings.domain.results.steps import record_event_step
from ratings.domain.results.voiding import void_event
from ratings.models import Correction, EventStep, ListPlayer, Player, Run, Table
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db


def corrected(rate_all, others=1, withdrawn=False):
    """A table of A and B is taken back later; whoever met B since then is corrected, and did not play."""
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    behind = [make_player(f"C{number}") for number in range(others)]
    for player in (a, b, *behind):
        give_rating(fesa, player, 2000)
    first = make_table(fesa, [a, b], [(r, 1, 2, 1.0) for r in range(1, 13)], "2024-01-01", event_name="First Cup")
    games = [(round_, 1, round_ + 1, 1.0) for round_ in range(1, others + 1)]
    make_table(fesa, [b, *behind], games, "2024-02-01")
    if withdrawn:
        save_list_player(ListPlayer(list=fesa, player=behind[0], withdrawn=True))
    rate_all()
    first.rated = False
    save_details(first)
    rate_all()
    return fesa, behind


def test_corrections_show_the_day_reason_and_players(client, rate_all):
    _, (c,) = corrected(rate_all)
    page = client.get("/lists/fesa/corrections/")
    (run,) = page.context["runs"]
    text = markup(page)
    assert (run.reasons, run.visited) == (("First Cup was changed",), 2)
    assert [line.player.family_name for line in run.lines] == ["Ada", "Ben", "C0"]
    assert "First Cup was changed." in text
    assert "2 sets of results from 1 Jan 2024 on were rated again." in text
    own = markup(client.get(c.get_absolute_url()))
    assert "because First Cup was changed" in own
    german = markup(client.get("/lists/fesa/corrections/", headers={"accept-language": "de"}))
    assert "First Cup wurde geändert." in german
    assert 'href="/lists/fesa/corrections/"' in markup(client.get("/lists/fesa/"))


def test_corrections_show_why_an_event_was_voided(client, rate_all):
    """Organisers' finding 19."""
    corrected(rate_all)
    table = Table.objects.get(rated=True)
    void_event(table.event, reason="rules", explanation="Only 20 minutes each.")
    rate_all()
    run = client.get("/lists/fesa/corrections/").context["runs"][0]
    (reason,) = run.event_reasons
    assert (reason.event, reason.note) == (table.event, "The event did not meet the rules. Only 20 minutes each.")
    assert run.reasons == (f"{table.event} was voided",)
    assert "Only 20 minutes each." in markup(client.get("/lists/fesa/corrections/"))


def test_corrections_show_why_a_table_was_deleted(client, rate_all):
    corrected(rate_all)
    table = Table.objects.get(rated=True)
    delete_table(table, reason="entered twice")
    rate_all()
    (reason,) = client.get("/lists/fesa/corrections/").context["runs"][0].event_reasons
    assert (reason.event, reason.note) == (table.event, f"{table}; entered twice")


def test_last_correction_of_a_player_comes_first(client, rate_all):
    _, (c,) = corrected(rate_all)
    table = Table.objects.get(rated=False)
    table.rated = True
    save_details(table)
    rate_all()
    runs = list(Run.objects.filter(corrections__player=c).order_by("-pk").values_list("pk", flat=True))
    page = client.get(c.get_absolute_url())
    lines = [line for line, _reason in page.context["corrections"]]
    assert [line.run_id for line in lines] == runs
    assert (lines[0].before, lines[0].after) == (lines[1].after, lines[1].before)
    assert list(Correction.objects.filter(player=c)) == lines
    explained = client.get(f"/lists/fesa/corrections/{runs[0]}/{c.public_id}/")
    assert [line.run_id for line in explained.context["explained"].own] == runs[1:]


def test_withdrawn_players_are_not_named(client, rate_all):
    corrected(rate_all, withdrawn=True)
    (run,) = client.get("/lists/fesa/corrections/").context["runs"]
    assert [line.player.family_name for line in run.lines] == ["Ada", "Ben"]
    assert run.corrections.count() == 3


def test_corrections_page_without_corrections_says_so(client):
    make_list()
    assert "No rating on this list has changed without a game yet." in markup(client.get("/lists/fesa/corrections/"))
    assert client.get("/lists/none/corrections/").status_code == 404


@pytest.mark.parametrize("others", [1, 40])
def test_corrections_need_the_same_queries_for_any_number(others, client, rate_all, django_assert_num_queries):
    corrected(rate_all, others)
    with django_assert_num_queries(7):
        client.get("/lists/fesa/corrections/")


def test_many_corrections_of_a_run_are_on_pages_of_their_own(client, rate_all, monkeypatch, django_assert_num_queries):
    corrected(rate_all)
    run = Run.objects.get(corrections__player__family_name="Ada")
    others = [make_player(f"D{number}") for number in range(30)]
    Correction.objects.bulk_create(
        Correction(run=run, player=player, before=3000, after=1400 - number) for number, player in enumerate(others)
    )
    page = client.get("/lists/fesa/corrections/")
    address = f"/lists/fesa/corrections/{run.pk}/"
    shown = [line.player.family_name for line in page.context["runs"][0].lines]
    assert shown == [f"D{number}" for number in range(29, 9, -1)]
    assert re.findall(rf'<a href="{address}">\s*([^<]*?)\s*</a>', markup(page)) == ["Show all 33"]
    monkeypatch.setattr("portal.runs.views.corrections.LINES_PER_PAGE", 25)
    with django_assert_num_queries(7):
        first = client.get(address)
    second = client.get(f"{address}?page=2")
    lines = [[line.player.family_name for line in one.context["page"]] for one in (first, second)]
    assert lines[0] == [f"D{number}" for number in range(29, 4, -1)]
    assert (lines[1][:5], set(lines[1][5:])) == (["D4", "D3", "D2", "D1", "D0"], {"Ada", "Ben", "C0"})
    assert '<a rel="next" href="?page=2">' in markup(first)
    assert "Show all" not in first.text


def run_of(client):
    """The words of the only correcting run, without the table of players."""
    article = markup(client.get("/lists/fesa/corrections/")).partition("<article")[2].partition("<details")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", article.partition("</h2>")[2])).split())


def with_note(rate_all, note, what=EventStep.What.CORRECTED):
    """A correction with the note that the page of the event shows."""
    fesa, a, b, c = make_list(), make_player("Ada"), make_player("Ben"), make_player("Cy")
    for player in (a, b, c):
        give_rating(fesa, player, 2000)
    first = make_table(fesa, [a, b], [(r, 1, 2, 1.0) for r in range(1, 13)], "2024-01-01", event_name="First Cup")
    make_table(fesa, [b, c], [(1, 1, 2, 1.0)], "2024-02-01")
    rate_all()
    first.rated = False
    save_details(first)
    record_event_step(first.event, what, note)
    rate_all()
    return fesa, first, (a, b, c)


def test_corrections_give_the_reason_of_the_event_page(client, rate_all):
    _, first, _ = with_note(rate_all, "the clocks were <wrong>")
    assert run_of(client) == (
        "First Cup was changed. 2 sets of results from 1 Jan 2024 on were rated again."
        " First Cup : the clocks were <wrong>"
    )
    assert "the clocks were &lt;wrong&gt;" in markup(client.get(first.event.get_absolute_url()))
    assert "First Cup: the clocks were" in markup(client.get("/lists/fesa/corrections.atom"))


def test_corrections_do_not_give_a_reason_that_may_name_a_hidden_player(client, rate_all):
    _, first, (_, _, c) = with_note(rate_all, "Cy had not played")
    c.shown = "anonymous"
    c.save()
    for address in ("/lists/fesa/corrections/", first.event.get_absolute_url(), "/lists/fesa/corrections.atom"):
        assert "had not played" not in markup(client.get(address))


def test_corrections_do_not_quote_moved_players(client, rate_all):
    with_note(rate_all, "Ada → Ben: the same person", EventStep.What.REMAPPED)
    assert run_of(client).endswith("First Cup : results moved to another player")


def test_corrections_say_nothing_of_tables_where_none_was_rated_again(client, rate_all):
    corrected(rate_all)
    Run.objects.update(visited=0)
    assert run_of(client) == "First Cup was changed."


def test_corrections_read_merges_as_a_person_would_say_them(client, rate_all):
    fesa, a, double, b = make_list(), make_player("Ada", "A."), make_player("Ada", "Alice"), make_player("Ben")
    for player in (a, b):
        give_rating(fesa, player, 2000)
    make_table(fesa, [double, b], [(n, 1, 2, 1.0) for n in range(1, 10)], "2024-01-01")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-02-01")
    rate_all()
    record = merge_players(double, a, reason="one person")
    rate_all()
    assert run_of(client).startswith("Ada Alice was merged into Ada A. ")
    assert "because Ada Alice was merged into Ada A." in markup(client.get(b.get_absolute_url()))
    Player.objects.filter(pk=double.pk).update(shown="anonymous")
    assert run_of(client).startswith(f"Player {double.public_id} was merged into Ada A. ")
    undo_merge(record)
    rate_all()
    assert run_of(client).startswith(f"The merge of Player {double.public_id} into Ada A. was undone. ")
