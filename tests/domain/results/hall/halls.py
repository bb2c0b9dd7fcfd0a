"""Halls for tests: an event of four players, and taps of two phones."""

from uuid import uuid4

from ratings.domain.results.hall.halls import add_people, read_names, start_hall
from ratings.domain.results.hall.pairing import save_typed_pairings
from ratings.domain.results.hall.recording import Device, Tap, record_tap
from ratings.models import Hall
from ratings.queries.results.halls import read_hall
from tests.factories import give_rating, make_event, make_list, make_player, rate_every_list

TIM, EVA = Device("tim", "Tim"), Device("eva", "Eva")
NAMES = "Adler, Ina, AT\nBrand, Leo, AT\nLind, Eva, SE\nMaes, Jonas, BE"
FIRST_ROUND = "Adler – Brand\nLind – Maes"


def make_hall(rounds=3, *, pairings=FIRST_ROUND, known=(("Adler", "Ina", 1700), ("Lind", "Eva", 1650))):
    """Return the hall of an open event, with the pairings of its first round."""
    rating_list = make_list("shogi")
    for family, given, rating in known:
        give_rating(rating_list, make_player(family, given), rating)
    rate_every_list()
    event = make_event("Evening Cup", "2024-05-04", [rating_list], state="draft")
    hall = start_hall(event, rounds)
    add_people(hall, read_names(NAMES))
    if pairings:
        save_typed_pairings(hall, 1, pairings)
    return Hall.objects.get(pk=hall.pk)


def board_of(hall, number, round_=1):
    return hall.boards.get(round=round_, number=number)


def tap(hall, device, number, code, round_=1, **more):
    """Enter a result as a phone does that displays the present state, unless `seen` says otherwise."""
    board = board_of(hall, number, round_)
    more.setdefault("seen", state_of(hall, number, round_).seen)
    return record_tap(hall, device, Tap(board.pk, code, more.pop("uuid", None) or uuid4(), **more))


def state_of(hall, number, round_=1):
    return read_hall(hall).rounds[round_ - 1].boards[number - 1]


def summarise(hall, number, round_=1):
    """Return the result and the entries of a board."""
    state = state_of(hall, number, round_)
    return state.code, [(entry.device, entry.code) for entry in state.entries]
