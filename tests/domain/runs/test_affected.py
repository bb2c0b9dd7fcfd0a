"""Tables that a run rates again: random edits, compared with a full computation."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from ratings.domain.events.tables import save_details
from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment, save_list
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.results.deleting import delete_table
from ratings.domain.results.voiding import void_event
from ratings.domain.runs import chunks, stored_steps
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.outcome import UnratableError
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.acting import act_as
from ratings.formats.history.file import write_history
from ratings.models import Adjustment, Award, Change, Event, Player, RatingList, Run, Standing
from ratings.queries.lists.history import export_history
from ratings.systems import SYSTEMS
from tests.editor import Editor
from tests.factories import make_list, make_player, make_table, set_state
from tests.thorough import share

pytestmark = pytest.mark.django_db
SEEDS = share(3, 1)


def two_circles(fesa):
    """Three tables of A and B, three of C and D, in turn."""
    a, b, c, d = (make_player(name) for name in "ABCD")
    days = [f"2024-01-{day:02}" for day in (1, 2, 3, 4, 5, 6)]
    seats = [[a, b], [c, d]] * 3
    return [make_table(fesa, players, [(1, 1, 2, 1.0)], day) for players, day in zip(seats, days, strict=True)]


def resave(table, **fields):
    for name, value in fields.items():
        setattr(table, name, value)
    save_details(table)


def test_rerating_reaches_only_tables_of_players_with_changed_states(rate_all):
    fesa = make_list()
    tables = two_circles(fesa)
    rate_all()
    kept = set(Change.objects.filter(table__in=tables[1::2]).values_list("pk", flat=True))
    resave(tables[0], rated=False)
    run = rerate(fesa.pk)
    assert (run.to_do, run.done, run.visited, run.skipped) == (6, 6, 3, 3)
    assert set(Change.objects.filter(table__in=tables[1::2]).values_list("pk", flat=True)) == kept
    assert list(find_differences(fesa)) == []


def test_category_that_absence_changes_is_stored_when_others_play_later(rate_all):
    chess = make_list(system="glicko-2", options={"provisional_above": 165})
    absent, *others = [make_player() for _ in range(4)]
    games = [(round_, 1, 2, float(round_ % 2)) for round_ in range(1, 13)]
    make_table(chess, [absent, others[0]], games, "2010-01-15")
    make_table(chess, others[1:], games, "2010-03-15")
    rate_all()
    first = chess.standings.get(player=absent).category
    make_table(chess, others[1:], games, "2024-03-15")
    rate_all()
    assert (first, chess.standings.get(player=absent).category) == ("established", "provisional")
    assert list(find_differences(chess)) == []


def test_rerating_stops_where_states_are_unchanged(rate_all):
    fesa = make_list()
    tables = two_circles(fesa)
    rate_all()
    table = tables[0]
    table.games.update(round=2)  # another round number changes no state
    save_details(table)
    assert rerate(fesa.pk).visited == 1
    assert list(find_differences(fesa)) == []


def test_latest_table_touches_itself_only(rate_all):
    fesa = make_list()
    tables = two_circles(fesa)
    rate_all()
    players = [entry.player for entry in tables[0].entries.all()]
    make_table(fesa, players, [(1, 1, 2, 0.0)], "2024-02-01")
    run = rerate(fesa.pk)
    assert (run.to_do, run.visited) == (1, 1)


def test_run_records_its_user_reason_and_changes(rate_all, admin_user):
    fesa = make_list()
    tables = two_circles(fesa)
    rate_all()
    Run.objects.all().delete()
    with act_as(admin_user):
        delete_table(tables[2])
    waiting = Run.objects.get()
    assert (waiting.state, waiting.reasons, waiting.asked_by) == (
        "waiting", (f"{tables[2]} was deleted",), admin_user
    )  # fmt: skip
    run = rerate(fesa.pk)
    # B has lost all his games and stands at 1 as before
    assert (run.pk, run.state, run.players_changed, str(run.since)) == (waiting.pk, "finished", 1, "2024-01-03")
    a, correction = Standing.objects.get(player__family_name="A"), run.corrections.get()
    assert (correction.player, correction.after) == (a.player, a.rating)
    assert run.biggest == [[a.player.public_id, correction.before, correction.after]]
    assert sum(row[2] for row in run.histogram) == 1


def test_players_of_a_new_table_are_not_corrected_but_those_behind_it_are(rate_all):
    fesa, a, b, c = make_list(), *(make_player(name) for name in "ABC")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-01")
    make_table(fesa, [b, c], [(1, 1, 2, 1.0), (2, 1, 2, 0.5)], "2024-01-10")
    rate_all()
    make_table(fesa, [a, b], [(1, 1, 2, 0.0)], "2024-01-05")
    run = rerate(fesa.pk)
    assert [correction.player for correction in run.corrections.all()] == [c]


def test_table_that_cannot_be_rated_stops_the_run_and_leaves_the_list_as_it_was(rate_all):
    go, a, b = make_list("go", system="bgf"), make_player(), make_player()
    for player in (a, b):
        save_adjustment(Adjustment(list=go, player=player, date="2024-01-01", set={"rating": 50}, reason="r"))
    make_table(go, [a, b], [(1, 1, 2, 1.0)], "2024-01-06")
    rate_all()
    before = list(Change.objects.values())
    make_table(go, [a, b], [(1, 1, 2, 1.0)], "2001-01-06", event_name="Too old")
    call_command("sweep")
    go.refresh_from_db()
    assert go.problem.startswith("table Too old of 2001-01-06: before 2001-06-01 another system was in force")
    assert list(Change.objects.values()) == before
    call_command("sweep")  # tries again, on the same record
    failed = Run.objects.filter(state="failed").get()
    assert failed.error.startswith("UnratableError: table Too old of 2001-01-06")
    void_event(Event.objects.get(name="Too old"), reason="other", explanation="x")
    call_command("sweep")
    go.refresh_from_db()
    assert (go.problem, list(find_differences(go))) == ("", [])


def test_verify_finds_tampered_rows_and_its_digest_equals_the_export(rate_all, tmp_path, capsys):
    fesa = make_list()
    two_circles(fesa)
    rate_all()
    call_command("verify", list="fesa")
    digest = capsys.readouterr().out.split()[-1]
    (tmp_path / "h.json").write_text(write_history(export_history(fesa)))
    call_command("rate", tmp_path / "h.json", digest=True)
    assert capsys.readouterr().out.strip() == digest
    change = Change.objects.filter(games__gt=0).last()
    Change.objects.filter(pk=change.pk).update(after=change.after + 1)
    with pytest.raises(CommandError, match="the stored results differ from the computed ones"):
        call_command("verify", list="fesa")
    assert change.player.public_id in capsys.readouterr().out
    Change.objects.filter(pk=change.pk).update(after=change.after)
    Standing.objects.filter(player=change.player).update(games=77)
    with pytest.raises(CommandError):
        call_command("verify", list="fesa")
    RatingList.objects.update(out_of_date_from="2024-01-01")
    with pytest.raises(CommandError, match="run sweep first"):
        call_command("verify", list="fesa")


def test_late_table_reads_only_stored_steps_of_its_day_and_of_affected_tables(rate_all, monkeypatch):
    fesa = make_list()
    tables = two_circles(fesa)
    rate_all()
    read, read_all = [], stored_steps.read_steps

    def note(rating_list, **among):
        read.append({name: sorted(map(str, chosen)) for name, chosen in among.items()})
        return read_all(rating_list, **among)

    make_table(fesa, list(Player.objects.filter(entries__table=tables[0])), [(1, 2, 1, 1.0)], "2023-12-31")
    with monkeypatch.context() as patch:
        patch.setattr(stored_steps, "read_steps", note)
        run = rerate(fesa.pk)
    assert (run.to_do, run.visited) == (7, 4)
    days = ["2024-01-01", "2024-01-03", "2024-01-05"]
    of_a_and_b = {"day__in": days, "table__in": [str(table.pk) for table in tables[::2]]}
    assert read == [{"day__in": ["2023-12-31"]}, of_a_and_b]
    assert list(find_differences(fesa)) == []


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("turn", range(SEEDS))
def test_after_random_edits_of_many_players_everything_is_as_from_nothing(system, turn, rate_all):
    edited = make_list("edited", system=system)
    editor = Editor(edited, turn + list(SYSTEMS).index(system), players=32, days=(12, 40)[turn % 2])
    for _ in range(25):  # so that most tables are not affected by an edit, and some days have several tables
        editor.new_table()
    for _ in range(share(8, 2)):
        rate_all()
        edited.refresh_from_db()
        assert list(find_differences(edited)) == []
        for _ in range(editor.chance.randint(1, 4)):
            editor.edit()


@pytest.mark.parametrize(("system", "options"), [*((key, {}) for key in SYSTEMS), ("glicko-2", {"period": "month"})])
@pytest.mark.parametrize("turn", range(SEEDS))
def test_after_random_edits_everything_is_as_from_nothing(system, options, turn, rate_all, monkeypatch):
    seed = (turn + list(SYSTEMS).index(system)) % 3  # with every weight of a batch, also in the share
    monkeypatch.setattr(chunks, "CHUNK_WEIGHT", (1000, 1, 30)[seed])
    edited = make_list("edited", system=system, options=options)
    other = RatingList(
        slug="other", name="Other", federation=get_or_create_federation("F"), system="icu-1989", comparison_to=edited
    )
    save_list(other)
    editor = Editor(edited, seed)
    for _ in range(share(12, 2)):
        for _ in range(editor.chance.randint(1, 4)):
            editor.edit()
        rate_all()
        for rating_list in (edited, other):
            rating_list.refresh_from_db()
            assert list(find_differences(rating_list)) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_deleted_adjustment_reaches_later_tables_beside_unchanged_steps_of_its_day(system, rate_all):
    made = make_list("made", system=system)
    x, y, z = (make_player(public_id=id) for id in "XYZ")
    for player in (x, y, z):
        set_state(made, player, "2024-01-01", rating=2100)
    set_state(made, x, "2024-02-01", rating=2000)
    set_state(made, x, "2024-02-01", rating=2100)
    back = Adjustment.objects.latest("pk")
    set_state(made, y, "2024-02-01", rating=1900)
    make_table(made, [x, z], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    delete_adjustment(back)
    rerate(made.pk)
    assert list(find_differences(made)) == []


def test_verification_finds_rows_of_days_without_steps(rate_all):
    fesa = make_list()
    table = two_circles(fesa)[0]
    rate_all()
    change = Change.objects.filter(table=table).first()
    change.pk, change.day, change.table_id = None, "2024-02-01", 0
    change.save(force_insert=True)
    Award.objects.create(list=fesa, player=change.player, day="2024-02-02", place=0, table=table, grade="1 Dan",
                         how="results", needs_approval=False, last_of_step=True)  # fmt: skip
    assert [line[:10] for line in find_differences(fesa)][:2] == ["2024-02-01", "1 awards s"]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("number", [10**30, -(10**30)])
def test_numbers_that_fit_into_no_array_are_told(system, number, rate_all):
    made = make_list("made", system=system)
    player = make_player()
    set_state(made, player, "2024-01-01", rating=2100)
    with pytest.raises(ValidationError):
        Adjustment(list=made, player=player, date="2024-02-02", set={"rating": number}, reason="r").full_clean()
    shift = Adjustment(list=made, date=dt.date(2024, 3, 3), shift=float(number), reason="r")
    with pytest.raises(ValidationError, match="invalid shift"):
        save_adjustment(shift)
    Adjustment.objects.bulk_create([shift])  # stored by an earlier release
    mark_lists_out_of_date([made], shift.date)
    problem = f"adjustment of 2024-03-03 for player {player.public_id}: invalid shift: {float(number)}"
    with pytest.raises(UnratableError) as error:
        rerate(made.pk)
    assert str(error.value) == problem
