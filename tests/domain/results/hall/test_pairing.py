"""Pairings: typed with names or numbers, and read from the files of pairing programs."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.results.hall.halls import change_people, set_rounds
from ratings.domain.results.hall.pairing import save_file_pairings, save_typed_pairings, write_pairings
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.models import Hall
from ratings.queries.results.halls import Person, people_of, read_hall

from .halls import TIM, make_hall, summarise, tap

pytestmark = pytest.mark.django_db
HEAD = Head("Evening Cup", dt.date(2024, 5, 4), dt.date(2024, 5, 4))
TRF = """012 Evening Cup
042 2024/05/04
052 2024/05/04
001    1 m    Adler, Ina                        1700 AUT                         1.0    1     2 w 1     3 b
001    2      Brand, Leo                             AUT                         0.0    3     1 b 0     4 w
001    3      Lind, Eva                              SWE                         1.0    2     4 w 1     1 w
001    4      Maes, Jonas                            BEL                         0.0    4     3 b 0     2 b
"""


def read(data, name="pairings"):
    return read_results_file(data.encode(), HEAD, dt.date(2024, 5, 5)).table


def boards(hall, round_=1):
    people = people_of(Hall.objects.get(pk=hall.pk))
    states = read_hall(Hall.objects.get(pk=hall.pk)).rounds[round_ - 1].boards
    return write_pairings(people, [state.board for state in states]).splitlines()


def test_typed_pairings_are_written_as_they_are_read():
    hall = make_hall(pairings="")
    lines = ["Adler – Brand (-l)", "Lind – Maes /b2"]
    assert save_typed_pairings(hall, 1, "\n".join(lines)) == 2
    assert boards(hall) == lines
    assert save_typed_pairings(hall, 2, "3-1\n2 : bye\nMaes") == 3
    assert boards(hall, 2) == ["Lind – Adler", "Brand – bye", "Maes – bye"]


def test_typed_name_with_a_comma_is_a_new_player():
    hall = make_hall(pairings="")
    save_typed_pairings(hall, 1, "Adler – Claes, Nina")
    assert [person.name for person in people_of(Hall.objects.get(pk=hall.pk)).values()] == [
        "Adler Ina", "Brand Leo", "Lind Eva", "Maes Jonas", "Claes Nina",
    ]  # fmt: skip
    assert boards(hall) == ["Adler – Claes"]


def test_first_pairings_of_a_round_are_saved_once_and_replace_no_others():
    hall = make_hall(pairings="")
    for _time in range(2):  # the answer to the first request was lost
        assert save_typed_pairings(hall, 1, "Adler – Brand\nLind – Claes, Nina", replaces=False) == 2
    assert boards(hall) == ["Adler – Brand", "Lind – Claes"]
    assert len(people_of(Hall.objects.get(pk=hall.pk))) == 5
    with pytest.raises(ValidationError) as error:
        save_typed_pairings(hall, 1, "Adler – Lind\nBrand – Smet, Jan", replaces=False)
    assert error.value.messages == [
        "Round 1 already has different pairings. To replace them, use “Change the pairings”."
    ]
    assert boards(hall) == ["Adler – Brand", "Lind – Claes"]
    assert len(people_of(Hall.objects.get(pk=hall.pk))) == 5
    assert save_typed_pairings(hall, 1, "Adler – Lind") == 1


def test_first_pairings_that_come_again_leave_results_as_they_are():
    hall = make_hall(pairings="")
    save_typed_pairings(hall, 1, "Adler – Brand\nLind – Maes", replaces=False)
    tap(hall, TIM, 1, "first")
    save_typed_pairings(hall, 1, "Adler – Brand\nLind – Maes", replaces=False)
    assert summarise(hall, 1)[0] == "first"


def test_invalid_lines_are_reported_together():
    hall = make_hall(pairings="")
    with pytest.raises(ValidationError) as error:
        save_typed_pairings(hall, 1, "Adler – Smet\nBrand – Lind – Maes\nLind – Maes (x)\nAdler – Maes\nMaes – Brand")
    assert error.value.messages == [
        "Line 1: “Smet” is not among the players. A new player is written “Family name, Given name”.",
        "Line 2: Write two players, as “Adler – Maes”; “Brand – Lind – Maes” has more.",
        "Line 3: “Maes (x)” is not among the players. A new player is written “Family name, Given name”.",
        "Line 5: Maes Jonas is already in line 4.",
    ]
    assert boards(hall) == []


def test_board_with_a_result_keeps_it_when_the_pairings_change():
    hall = make_hall()
    tap(hall, TIM, 2, "first")
    save_typed_pairings(hall, 1, "Maes – Lind\nBrand – Adler")
    assert boards(hall) == ["Lind – Maes", "Brand – Adler"]
    assert summarise(hall, 1) == ("first", [("tim", "first")])


def test_board_with_a_result_is_not_deleted():
    hall = make_hall()
    tap(hall, TIM, 2, "first")
    with pytest.raises(ValidationError, match="Board 2 has a result"):
        save_typed_pairings(hall, 1, "Adler – Lind\nBrand – Maes")
    assert boards(hall) == ["Adler – Brand", "Lind – Maes"]


def test_file_of_a_pairing_program_brings_results_and_the_next_pairings():
    hall = make_hall(pairings="")
    assert save_file_pairings(hall, read(TRF), TIM) == 2
    assert boards(hall, 1) == ["Adler – Brand /w", "Lind – Maes /w"]
    assert boards(hall, 2) == ["Adler – Lind /b", "Brand – Maes /w"]
    assert [summarise(hall, board, round_)[0] for round_ in (1, 2) for board in (1, 2)] == [
        "first",
        "first",
        None,
        None,
    ]


def test_file_does_not_change_a_round_that_has_results():
    hall = make_hall()
    tap(hall, TIM, 1, "second")
    save_file_pairings(hall, read(TRF), TIM)
    assert summarise(hall, 1) == ("second", [("tim", "second")])
    assert boards(hall, 2) == ["Adler – Lind /b", "Brand – Maes /w"]


def test_list_of_games_without_results_is_read_as_pairings():
    hall = make_hall(pairings="")
    games = 'round,player,opponent,result\n1,"Adler, Ina","Lind, Eva",\n1,"Brand, Leo","Maes, Jonas",\n'
    assert save_file_pairings(hall, read(games), TIM) == 1
    assert boards(hall) == ["Adler – Lind", "Brand – Maes"]
    assert [summarise(hall, board)[0] for board in (1, 2)] == [None, None]


def test_people_can_be_renamed_and_removed():
    hall = make_hall(pairings="Adler – Brand")
    change_people(hall, {1: Person(1, "Adler", "Irma"), 3: None})
    people = people_of(Hall.objects.get(pk=hall.pk))
    assert [(person.name, bool(person.player)) for person in people.values()] == [
        ("Adler Irma", False), ("Brand Leo", False), ("Maes Jonas", False),
    ]  # fmt: skip


def test_person_with_a_board_is_not_removed():
    hall = make_hall()
    with pytest.raises(ValidationError) as error:
        change_people(hall, {1: None, 2: Person(2, "", ""), 3: Person(3, "Maes", "Jonas")})
    assert error.value.messages == [
        "Adler Ina has a board: change the pairings before you remove them.",
        "Brand Leo: Enter a family name.",
        "Two players are called Maes Jonas: add something that tells them apart.",
    ]


def test_round_with_boards_is_not_cut_off():
    hall = make_hall()
    set_rounds(hall, 1)
    save_typed_pairings(Hall.objects.get(pk=hall.pk), 2, "Adler – Lind")
    with pytest.raises(ValidationError, match="Round 2 has pairings"):
        set_rounds(hall, 1)
