"""The results of a hall become draft results, and are rated provisionally before that."""

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.results.hall.pairing import save_typed_pairings
from ratings.domain.results.hall.provisional import save_provisional_ratings
from ratings.domain.results.hall.sheets import make_submission
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event, Hall, Player, Submission
from ratings.queries.results.halls import rank_people, read_hall

from .halls import EVA, TIM, make_hall, tap

pytestmark = pytest.mark.django_db


def rows(submission):
    return [(row.name, bool(row.player), row.cells) for row in content_from_json(submission.content).rows]


def play(hall):
    """Enter two rounds, the second without the result of its second board."""
    tap(hall, TIM, 1, "first")
    tap(hall, EVA, 2, "draw")
    save_typed_pairings(hall, 2, "Adler – Lind (-r)\nBrand – Maes")
    tap(hall, TIM, 1, "second", 2)


def test_results_become_a_draft():
    hall = make_hall()
    play(hall)
    assert rows(make_submission(hall)) == [
        ("Adler Ina", True, ["2+", "3-(-r)"]),
        ("Brand Leo", False, ["1-", ""]),
        ("Lind Eva", True, ["4=", "1+(+r)"]),
        ("Maes Jonas", False, ["3=", ""]),
    ]
    assert hall.event.steps.get().what == "hall"


def test_later_results_replace_the_draft():
    hall = make_hall()
    play(hall)
    old = make_submission(hall)
    tap(hall, EVA, 2, "first", 2)
    new = make_submission(Hall.objects.get(pk=hall.pk))
    old.refresh_from_db()
    assert (old.state, old.replaced_by) == (Submission.State.DELETED, new)
    assert rows(new)[1] == ("Brand Leo", False, ["1-", "4+"])


def test_players_without_a_board_and_byes_are_absences_and_points():
    hall = make_hall(pairings="Adler – Brand\nLind – bye")
    tap(hall, TIM, 1, "first")
    assert [cells for _, _, cells in rows(make_submission(hall))] == [["2+"], ["1-"], ["0+"], ["0-"]]


def test_question_must_be_decided_before_the_draft():
    hall = make_hall()
    tap(hall, TIM, 1, "first")
    tap(hall, EVA, 1, "second")
    with pytest.raises(ValidationError, match=r"at board 1\.1: decide"):
        make_submission(hall)
    assert not hall.event.submissions.exists()


def test_standings_share_ranks():
    hall = make_hall()
    play(hall)
    standings = rank_people(read_hall(hall), 1, {3: 1650.0})
    assert [(s.rank, s.person.name, s.points, s.is_shared) for s in standings] == [
        (1, "Adler Ina", 1.0, False), (2, "Lind Eva", 0.5, True), (2, "Maes Jonas", 0.5, True), (4, "Brand Leo", 0.0, False),
    ]  # fmt: skip


def test_provisional_ratings_leave_nothing_behind():
    hall = make_hall()
    play(hall)
    before = Player.objects.count()
    save_provisional_ratings(hall.pk)
    hall.refresh_from_db()
    values = {id: (old, new) for id, old, new in hall.provisional["shogi"]}
    assert set(values) == {1, 2, 3, 4}
    assert [values[id][0] for id in (1, 2, 3, 4)] == [1700, None, 1650, None]
    assert values[1][1] < 1700 < 1650 + (values[3][1] - 1650) + 100
    assert values[3][1] > 1650
    assert hall.rated_version == hall.version
    event = Event.objects.get(pk=hall.event_id)
    assert (event.state, event.submissions.count(), event.tables.count(), Player.objects.count()) == (
        "draft",
        0,
        0,
        before,
    )


def test_hall_without_results_has_no_provisional_ratings():
    hall = make_hall()
    save_provisional_ratings(hall.pk)
    hall.refresh_from_db()
    assert (hall.provisional, hall.rated_version) == ({}, hall.version)
