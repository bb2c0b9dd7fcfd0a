"""Toy rating system: every game moves both ratings by 20 × (result − expected score); newcomers begin at 1000."""

from ratings.systems.arithmetic import expected_score
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.messages import Message as _
from ratings.systems.presentation import Presentation
from ratings.systems.protocol import System
from ratings.systems.rating_rules import RatingRules
from ratings.systems.rules import Rules, make_rule_table
from ratings.systems.state_checks import check_state, integer_between, is_number
from ratings.systems.values import Category, Column, Line, Row, RowExplanation, Standing, TableResult

K, FIRST = 20, 1000.0


class ToyRating(RatingRules):
    """State: rating in rating points and number of rated games."""

    def newcomer(self):
        return (FIRST, 0)

    def read(self, opening, *, fixed=False):
        check_state(opening, {"rating": is_number, "games": integer_between(0)})
        return (opening.get("rating", FIRST), opening.get("games", 0))

    def write(self, state):
        return {"rating": state[0], "games": state[1]}

    def with_rating(self, state, rating):
        return (rating, state[1])

    def shift(self, state, by):
        return (state[0] + by, state[1])

    def standing(self, state, player, on=None):
        return Standing(*state, None, Category.RATED if state[1] else Category.UNRATED, published=state[1] > 0)

    def rate(self, table, players, states, rulings=()):
        fixed = {id: get_outsider_rating(table, players[id], states[id][0]) for id in table.players}
        before = {id: states[id][0] if fixed[id] is None else fixed[id] for id in table.players}
        games = {id: [] for id in table.players}
        for game in table.games:
            if game.played and table.rated:
                games[game.a].append((game.b, game.score))
                games[game.b].append((game.a, 1 - game.score))
        rows, after = [], {}
        for id in table.players:
            standing = self.standing(states[id], players[id])
            if fixed[id] is not None or not games[id]:
                rows.append(make_idle_row(table, players[id], standing, fixed[id]))
                continue
            terms = [{"opponent": other, "opponent_rating": before[other], "score": score,
                      "expected": expected_score(before[id], before[other])} for other, score in games[id]]  # fmt: skip
            change = sum(K * (term["score"] - term["expected"]) for term in terms)
            after[id] = (before[id] + change, states[id][1] + len(terms))
            rows.append(Row(id, standing.category, Category.RATED, before[id], after[id][0], change, len(terms),
                            after[id][1], terms=tuple(terms)))  # fmt: skip
        return TableResult(tuple(rows), after)

    def predict(self, own, opponent, game, own_side, deviations=None):
        return expected_score(own, opponent)


class ToyPresentation(Presentation):
    decimals = 1

    def explained(self, row, *, fixed_opponents=False):
        columns = (Column("opponent_rating", _("Rating used"), "rating"), Column("score", _("Result"), "score"),
                   Column("expected", _("Expected"), "share"))  # fmt: skip
        return RowExplanation(columns, (Line(_("20 × (results − expected)"), row.change, "signed"),))

    def rules(self):
        return Rules(
            "A toy", (_("Each game counts at once."),), (make_rule_table("K", ("Player", "K"), ("all", K)),), ()
        )


class Toy(System):
    key = "toy"
    name = _("Toy system")
    rating_class = ToyRating
    presentation_class = ToyPresentation
