"""Random histories of go for tests of compiled loops."""

from hypothesis import strategies as st

from ratings.formats.history.file import parse_history
from ratings.systems import get_system
from tests.histories import document

OVERTIME = (None, {"increment": 10}, {"moves": 1, "seconds": 30}, {"moves": 20, "seconds": 300})
MINUTES = (None, None, 10, 25, 30, 45, 45.5, 60, 90)


@st.composite
def go_histories(draw, system, *, ratings, days, options, table_fields):
    """Return players of all kinds with a few tables, of which some are too fast or have players without games.

    `ratings` and `options` are strategies, `days` are days to choose from, and `table_fields` strategies for
    fields that only some systems use.
    """
    players, ranks = {}, get_system(system).grading.ranks
    for number in range(draw(st.integers(2, 8))):
        known = {"opening": {"rating": draw(ratings)}}
        rank = {"prior_grade": draw(st.sampled_from(ranks))}
        kinds = ({}, rank, rank | {"unlisted": True}, known, known, known | rank, known | {"unlisted": True},
                 known | {"fixed": True})  # fmt: skip
        players[f"P{number}"] = draw(st.sampled_from(kinds))
    fields = {
        "date": st.sampled_from(days),
        "tournament": st.booleans(),
        "minutes": st.sampled_from(MINUTES),
        "overtime": st.sampled_from(OVERTIME),
        "rated": st.sampled_from((True, True, True, False)),
        "games": go_games(sorted(players)),
    }
    tables = draw(st.lists(st.fixed_dictionaries(fields | table_fields), min_size=1, max_size=5))
    given = [{name: value for name, value in table.items() if value is not None} for table in tables]
    return parse_history(document(players, *given, system=system, options=draw(options)))


def go_games(players):
    """Return a strategy of games, most of them even; some have a handicap, a small board or no board at all."""
    ids = st.sampled_from(players)
    details = {
        "stones": st.integers(1, 13),
        "black": st.sampled_from(("a", "b")),
        "board": st.sampled_from((9, 13, 15, 19, 21)),
        "online": st.just(True),
        "correspondence": st.just(True),
        "played": st.just(False),
    }
    extra = st.one_of(st.just({}), st.fixed_dictionaries({}, optional=details))
    extra = extra.filter(lambda given: "stones" not in given or "black" in given)
    games = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1)), extra).filter(lambda game: game[0] != game[1])
    return st.lists(games, min_size=1, max_size=25).map(number_rounds)


def number_rounds(games):
    """Return games with their rounds: each player has at most one game in a round."""
    numbered, round_, seated = [], 1, set()
    for a, b, score, extra in games:
        if {a, b} & seated:
            round_, seated = round_ + 1, set()
        seated |= {a, b}
        numbered.append((a, b, score, extra | {"round": round_}))
    return numbered
