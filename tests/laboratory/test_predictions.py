import datetime as dt

import numpy as np
import pytest

from ratings.laboratory.candidates import Candidate, present_candidate
from ratings.laboratory.games import collect_games
from ratings.laboratory.predictions import predict_games
from ratings.systems import get_system
from ratings.systems.values import Game, History, Player, Table
from tests.laboratory.federations import make_federation


def two_games(system="fesa-2016", **openings):
    players = {id: Player(id, opening=opening) for id, opening in openings.items()}
    tables = tuple(
        Table(f"t{year}", dt.date(year, 5, 1), tuple(players), (Game(1, "a", "b", 1.0),)) for year in (2020, 2022)
    )
    return History(system, players, tables)


def rated(rating):
    return {"rating": rating, "games": 50, "bonus_games": 50}


def test_games_are_predicted_from_the_ratings_before_their_table():
    history = two_games(a=rated(1600), b=rated(1500))
    prediction = predict_games(history, present_candidate(history), collect_games(history), ["a"])
    after_first = prediction.panel[2020]["a"]
    assert after_first > 1600
    predict, game = get_system("fesa-2016").rating.predict, history.tables[0].games[0]
    assert prediction.gap[0] == 100
    second = predict(after_first, after_first - prediction.gap[1], game, "a")
    assert prediction.expected.tolist() == [predict(1600, 1500, game, "a"), second]
    assert prediction.gap[1] > 100
    assert prediction.provisional.tolist() == [False, False]


def test_panel_has_the_ratings_at_the_end_of_every_year():
    history = two_games(a=rated(1600), b=rated(1500))
    prediction = predict_games(history, present_candidate(history), collect_games(history), ["a", "b"])
    assert list(prediction.panel) == [2020, 2021, 2022]
    assert prediction.panel[2020] == prediction.panel[2021]
    assert prediction.panel[2022] == {id: prediction.standings[id].rating for id in ("a", "b")}


def test_games_of_unrated_players_are_not_predicted():
    history = two_games(a=rated(1600), b=None)
    prediction = predict_games(history, present_candidate(history), collect_games(history))
    assert np.isnan(prediction.expected).tolist() == [True, True]


def test_deviations_count_in_predictions():
    openings = {id: {"rating": rating, "deviation": 50} for id, rating in (("a", 1700), ("b", 1500))}
    unsure = {id: {**opening, "deviation": 300} for id, opening in openings.items()}
    expected = []
    for players in (openings, unsure):
        history = two_games("glicko-2", **players)
        prediction = predict_games(history, present_candidate(history), collect_games(history))
        expected.append(prediction.expected[0])
    assert 0.5 < expected[1] < expected[0]


def test_later_games_do_not_change_earlier_predictions():
    long = make_federation(1, "rif-2021", options={"lists": "monthly"}, tables=20, mean=1900)
    short = History(long.system, long.players, long.tables[:16], options=long.options)
    predictions = [
        predict_games(history, present_candidate(history), collect_games(history)).expected for history in (long, short)
    ]
    assert np.isfinite(predictions[1]).sum() > 20
    assert np.array_equal(predictions[0][: len(predictions[1])], predictions[1], equal_nan=True)


def test_openings_that_a_system_does_not_accept_name_their_player():
    history = two_games("glicko-2", a={"rating": 1600.0}, b={"rating": -500.0})
    with pytest.raises(ValueError, match=r"^opening of player b: invalid rating: -500$"):
        predict_games(history, Candidate("fesa-2016"), collect_games(history))


class RunEndedError(Exception):
    """Error that a test's tick raises."""


def test_tick_can_end_a_run():
    history, ticks = two_games(a=rated(1600), b=rated(1500)), []

    def tick():
        ticks.append(1)
        if len(ticks) == 2:
            raise RunEndedError

    with pytest.raises(RunEndedError):
        predict_games(history, present_candidate(history), collect_games(history), tick=tick)
    assert len(ticks) == 2
