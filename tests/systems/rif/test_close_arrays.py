"""Compare list days of rif-2021 closed in arrays with those closed row by row."""

from ratings.systems.canonical_json import write_json
from ratings.systems.rif.rating_2021 import Rating2021
from tests.histories import rate

ADJUSTMENTS = (
    {"date": "2020-12-31", "player": "Eva", "set": {"rating": 2100}},
    {"date": "2021-01-05", "shift": -12.5},
)
PLAYERS = {
    "Anna": {"opening": {"rating": 2050, "games": 40, "deviation": 60, "last_played": "2019-11-03"}},
    "Eva": {},
    "Fixed": {"fixed": True, "opening": {"rating": 1800}},
    "Jan": {"unlisted": True},
    "Luc": {"opening": {"rating": 1750, "games": 3}},
    "Petra": {},
}
TABLES = (
    {"date": "2020-03-31", "players": ["Anna", "Jan", "Luc"], "games": [("Anna", "Jan", 1), ("Luc", "Jan", 0.5)]},
    {"date": "2020-06-29", "players": ["Eva", "Fixed", "Petra"], "games": [("Fixed", "Eva", 0), ("Petra", "Eva", 1)]},
    {"date": "2020-10-17", "players": ["Anna", "Jan"], "games": [("Jan", "Anna", 1)] * 12},
    {"date": "2021-03-31", "players": ["Eva", "Luc"], "games": [("Eva", "Luc", 1)]},
)


def list_columns(closed):
    """Return the values that a run stores of each row, by player."""
    return dict(zip(closed.players, zip(*closed.result.columns, strict=True), strict=True)), closed.result.last


def list_rows(rating, result, players):
    """Return the same values of a result with rows."""
    stored = {}
    for row in result.rows:
        standing = rating.standing(result.states[row.player], players[row.player])
        values = (row.category, row.category_after, row.before, row.after, row.change, row.games, row.games_after)
        values = (
            *values,
            row.performance,
            row.grade_before or "",
            row.grade or "",
            standing.published,
            standing.hidden,
        )
        stored[row.player] = (*values, row.note, write_json(rating.write(result.states[row.player])))
    return stored, result.states


def test_close_arrays_gives_the_results_of_close(monkeypatch):
    close, compared = Rating2021.close, []

    def close_both(self, day, players, states, past=None):
        closed = list_columns(self.close_arrays(day, players, states, past))
        result = close(self, day, players, states, past)
        compared.append((closed, list_rows(self, result, players)))
        return result

    monkeypatch.setattr(Rating2021, "close", close_both)
    rate(PLAYERS, *TABLES, system="rif-2021", adjustments=ADJUSTMENTS)
    assert len(compared) == 5
    assert [closed for closed, _rows in compared] == [rows for _closed, rows in compared]
    assert list(compared[-1][0][0]) == ["Anna", "Eva", "Jan", "Luc", "Petra"]
