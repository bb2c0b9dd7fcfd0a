"""Paths of corrections: from the corrected event through shared games to players who had not played in it."""

import datetime as dt
from contextlib import suppress
from itertools import pairwise

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.events.tables import save_details
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.results.deleting import delete_table
from ratings.domain.runs import chunks
from ratings.domain.runs.computing import RunMode, compute
from ratings.domain.runs.outcome import ignore_progress
from ratings.domain.runs.rerating import rerate
from ratings.models import Adjustment, Change, Entry, Game
from ratings.queries.runs.correction_paths import Origin, PathStep, path_from_json, path_to_json
from ratings.systems import SYSTEMS
from tests.editor import Editor
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused
from tests.thorough import share, take_share_of

pytestmark = pytest.mark.django_db
SEEDS = share(3, 1)
KINDS = ("new_table", "move", "reorder", "unrate", "swap", "give", "draft", "new_table", "delete", "take")


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def players(fesa):
    players = [make_player(name) for name in ("Ada", "Ben", "Cy", "Di")]
    for player in players:
        give_rating(fesa, player, 2000)
    return players


def ratings_after(table, *players):
    changes = {change.player: change.after for change in Change.objects.filter(table=table).select_related("player")}
    return [changes[player] for player in players]


def path_to(run, player):
    """The path of a player's correction as (player, table, origin, rating before and after the run)."""
    path = path_from_json(run.corrections.get(player=player).path)
    return [(step.player, step.table, step.origin, step.rating) for step in path]


def test_path_leads_from_a_changed_event_through_shared_games(fesa, players, rate_all):
    ada, ben, cy, di = players
    wins = [(round_, 1, 2, 1.0) for round_ in range(1, 13)]
    first = make_table(fesa, [ada, di], wins, "2024-01-01")
    second = make_table(fesa, [ben, ada], wins, "2024-02-01")
    third = make_table(fesa, [cy, ben], wins, "2024-03-01")
    make_table(fesa, [cy, ada], wins, "2024-04-01")
    rate_all()
    before = [ratings_after(*pair)[0] for pair in ((first, ada), (second, ben), (third, cy))]
    first.rated = False
    save_details(first)
    run = rerate(fesa.pk)
    after = [2000, *(ratings_after(*pair)[0] for pair in ((second, ben), (third, cy)))]
    path = [
        (player.public_id, table.pk, origin, pair)
        for player, table, origin, pair in zip(
            (ada, ben, cy), (first, second, third), (Origin.CHANGED, None, None), zip(before, after, strict=True),
            strict=True,
        )
    ]  # fmt: skip
    assert [path_to(run, player) for player in (ada, ben, cy)] == [path[:1], path[:2], path]
    assert all(old != new for *_, (old, new) in path)


def test_path_begins_with_a_late_event_whose_players_have_none(fesa, players, rate_all):
    ada, ben, cy, _ = players
    second = make_table(fesa, [ben, ada], [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 1, 2, 1.0)], "2024-02-01")
    rate_all()
    (old,) = ratings_after(second, ben)
    late = make_table(fesa, [ada, cy], [(round_, 1, 2, 1.0) for round_ in range(1, 13)], "2024-01-01")
    run = rerate(fesa.pk)
    assert {correction.player for correction in run.corrections.all()} == {ben}
    (now,), (ada_now,) = ratings_after(second, ben), ratings_after(late, ada)
    assert path_to(run, ben) == [
        (ada.public_id, late.pk, Origin.ADDED, (2000, ada_now)), (ben.public_id, second.pk, None, (old, now)),
    ]  # fmt: skip


def test_path_begins_with_a_deleted_table(fesa, players, rate_all):
    ada, ben, cy, _ = players
    first = make_table(fesa, [ada, cy], [(round_, 1, 2, 1.0) for round_ in range(1, 13)], "2024-01-01")
    second = make_table(fesa, [ben, ada], [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 1, 2, 1.0)], "2024-02-01")
    rate_all()
    (old,), (ada_old,) = ratings_after(second, ben), ratings_after(first, ada)
    delete_table(first)
    run = rerate(fesa.pk)
    (now,) = ratings_after(second, ben)
    assert path_to(run, ben) == [
        (ada.public_id, first.pk, Origin.REMOVED, (ada_old, 2000)), (ben.public_id, second.pk, None, (old, now)),
    ]  # fmt: skip


def test_path_begins_with_an_adjustment(fesa, players, rate_all):
    ada, ben, *_ = players
    table = make_table(fesa, [ben, ada], [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 1, 2, 1.0)], "2024-02-01")
    rate_all()
    (old,) = ratings_after(table, ben)
    adjustment = Adjustment(list=fesa, player=ada, date=dt.date(2024, 1, 1), set={"rating": 2200}, reason="wrong")
    save_adjustment(adjustment)
    run = rerate(fesa.pk)
    (now,) = ratings_after(table, ben)
    first, second = path_from_json(run.corrections.get(player=ben).path)
    assert first == PathStep(
        ada.public_id, dt.date(2024, 1, 1), None, adjustment.pk, None, (2000, 2200), (None, None), False, Origin.ADDED
    )._replace(points=first.points)
    assert (second.player, second.table, second.rating) == (ben.public_id, table.pk, (old, now))


def test_path_goes_through_the_games_of_one_table(fesa, players, rate_all):
    """Opponents count with their rating after the table, so a player of it changes through another."""
    ada, ben, cy, di = players
    first = make_table(fesa, [ada, di], [(round_, 1, 2, 1.0) for round_ in range(1, 13)], "2024-01-01")
    new, other = make_player("New"), make_player("Other")
    second = make_table(
        fesa, [ada, new, other, cy, ben], [(1, 1, 2, 0.0), (2, 2, 3, 1.0), (3, 3, 4, 0.5), (4, 3, 5, 1.0)], "2024-02-01"
    )
    rate_all()
    first.rated = False
    save_details(first)
    run = rerate(fesa.pk)
    paths = {correction.player: path_from_json(correction.path) for correction in run.corrections.all()}
    assert [step.player for step in paths[new]] == [ada.public_id, new.public_id]
    assert [step.player for step in paths[other]] == [ada.public_id, new.public_id, other.public_id]
    assert {step.table for step in paths[other][1:]} == {second.pk}


def test_path_does_not_begin_with_a_table_that_has_only_another_place_in_its_day(fesa, players, rate_all):
    ada, ben, _, di = players
    wins = [(round_, 1, 2, 1.0) for round_ in range(1, 13)]
    second = make_table(fesa, [ben, ada], wins, "2024-01-01", event_name="B")
    rate_all()
    (old,) = ratings_after(second, ben)
    late = make_table(fesa, [ada, di], wins, "2024-01-01", event_name="A")
    run = rerate(fesa.pk)
    (now,) = ratings_after(second, ben)
    assert old != now
    assert [step[:3] for step in path_to(run, ben)] == [
        (ada.public_id, late.pk, Origin.ADDED), (ben.public_id, second.pk, None),
    ]  # fmt: skip
    assert path_to(run, ben)[1][3] == (old, now)


def test_paths_are_stored_as_json():
    day = dt.date(2024, 1, 1)
    path = [
        PathStep("ADA2345", day, 1, None, None, (2000.5, None), (None, -4.0), False, Origin.ADDED),
        PathStep("BEN2345", day, None, 2, None, (1.0, 2.0), (None, None), True),
    ]
    assert path_from_json(path_to_json(path)) == path


def rows_of(rating_list):
    """The rating after each stored step, by player, table, adjustment, decision and day."""
    fields = ("player__public_id", "table", "adjustment", "decision", "day", "after")
    return {tuple(key): after for *key, after in rating_list.changes.values_list(*fields)}


def check_path(path, before, after):
    """Check a path against the ratings stored before and after the run, and against the games."""
    first, *later = path
    assert first.origin is not None
    assert [step.origin for step in later] == [None] * len(later)
    for step in path:
        key = (step.player, step.table, step.adjustment, step.decision, step.day)
        old, new = step.rating
        assert key not in before or before[key] == old
        assert key not in after or after[key] == new
        assert key in before or key in after
    for previous, step in pairwise(path):
        assert previous.day <= step.day
        seated = Entry.objects.filter(table=step.table, player__public_id__in=[previous.player, step.player])
        assert seated.count() == 2
        assert Game.objects.filter(table=step.table, a__in=seated, b__in=seated).exists()


def open_list(system, seed):
    """An editor of a list with ten tables of nine rated players."""
    edited = make_list("edited", system=system)
    editor = Editor(edited, seed)
    for player in editor.players:
        given = {"rating": editor.chance.randint(1400, 1900)}
        save_adjustment(Adjustment(list=edited, player=player, date=dt.date(2023, 12, 1), set=given, reason="opening"))
    for _ in range(10):
        editor.new_table()
    return edited, editor


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("turn", range(SEEDS))
def test_paths_after_random_edits_hold_the_stored_ratings(system, turn, rate_all, monkeypatch):
    seed = (turn + list(SYSTEMS).index(system)) % 3
    monkeypatch.setattr(chunks, "CHUNK_WEIGHT", (1000, 1, 30)[seed])
    edited, editor = open_list(system, seed)
    rate_all()
    unknown, lengths = 0, set()
    turns = 1 if system == "rif-2021" else share(2, 1)  # its paths all have one step
    edits = KINDS * turns
    from_nothing, compared = take_share_of(range(len(edits)), seed, 3), 0
    for number, kind in enumerate(edits):
        with suppress(ValidationError):
            getattr(editor, kind)()
        before, revised = rows_of(edited), type(edited).objects.get(pk=edited.pk)
        if revised.out_of_date_from is None:
            continue
        ways = (True, False) if number in from_nothing else ()
        computed = [compute(revised, dt.date.min, ignore_progress, RunMode(compiled=compiled)) for compiled in ways]
        corrections = list(rerate(edited.pk).corrections.select_related("player"))
        after = rows_of(edited)
        unknown += sum(correction.path is None for correction in corrections)
        for correction in corrections:
            path = path_from_json(correction.path or ())
            if path:
                check_path(path, before, after)
                assert path[-1].player == correction.player.public_id
                assert [outcome.reached[correction.player_id].path() for outcome in computed] == [path for _ in ways]
                compared += len(ways)
                lengths.add(len(path))
    assert (unknown, compared > 0) == (0, True)
    if system == "rif-2021":
        assert lengths == {1}  # a list day fits all ratings anew, so no chain of games leads to a change
    else:
        assert max(lengths) > 2
