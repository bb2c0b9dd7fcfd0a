"""The system behind the key icu-1989: the Irish Chess Union's rating procedures of 1989 (the fax to NAGOR)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from . import icu_event, icu_explained
from .arithmetic import away_from_zero, expected_score
from .icu_event import FIXED, GRADED, PROVISIONAL, UNGRADED, Entrant, Played
from .openings import checked, integer, whole
from .options import choice, count, rating
from .protocol import System, untouched_row
from .rules import Rules
from .values import Decision, Explained, Game, Opening, Player, Row, Standing, Table, TableResult
from .words import Words as _

GRADED_FROM = 20  # games, prov_limit
UNDER_21 = 21  # (3) years
KEYS = {"rating": integer, "games": whole(0)}


@dataclass(frozen=True, slots=True)
class IcuState:
    """No rating means ungraded; games count up to the event in which the player becomes graded."""

    rating: int | None = None
    games: int = 0


class Icu1989(System[IcuState]):
    key = "icu-1989"
    name = _("Irish Chess Union rating procedures (1989)")
    asks = frozenset({"birth_date", "start_year"})
    list_layout = "fide"
    tie_breaks = ("BH", "SB")
    legend: ClassVar = {"provisional": _("based on few games")}
    assumes: ClassVar = {
        "birth_date": _("birth date unknown: taken as 21 or older"),
        "start_year": _("start year unknown: taken as settled"),
    }
    options = (
        rating("cap", 2100, _("Bonus points carry nobody past this rating.")),
        count("min_bonus_games", 4, 4, 50, _("Games in an event from which a bonus can be earned.")),
        choice(
            "bracket_for_graded",
            False,
            _(
                "Whether a provisional opponent counts with his performance, where that is higher, for graded"
                " players too."
            ),
            False,
            True,
        ),
        count("prov_limit", GRADED_FROM, 1, 100, _("Games from which a player is graded, no longer provisional.")),
        count(
            "bracket_games", 5, 1, 50, _("Games in an event from which a provisional player's performance may count.")
        ),
        choice(
            "prov_counts_as_rated",
            True,
            _("Whether meeting a provisional player links an ungraded one to the rated field."),
            True,
            False,
        ),
        rating("publish_floor", None, _("Ratings below are computed but not published.")),
    )

    def newcomer(self) -> IcuState:
        return IcuState()

    def read(self, opening: Opening, *, fixed: bool = False) -> IcuState:
        checked(opening, KEYS)
        rating, games = opening.get("rating"), opening.get("games") or 0
        if rating is None and games:
            raise ValueError(_("games without a rating"))
        if rating is not None and not games and not fixed:
            raise ValueError(_("a rating needs games"))
        return IcuState(rating, games)

    def write(self, state: IcuState) -> Opening:
        given = {"rating": state.rating, "games": state.games or None}
        return {key: value for key, value in given.items() if value is not None}

    def with_rating(self, state: IcuState, rating: float) -> IcuState:
        return self.read({"rating": rating, "games": state.games or self.settings["prov_limit"]})

    def shift(self, state: IcuState, by: float) -> IcuState:
        return state if state.rating is None else replace(state, rating=state.rating + away_from_zero(by))

    def kind(self, state: IcuState) -> str:
        if state.rating is None:
            return UNGRADED
        return PROVISIONAL if state.games < self.settings["prov_limit"] else GRADED

    def standing(self, state: IcuState, player: Player, on: dt.date | None = None) -> Standing:
        shown = state.rating is not None and state.rating >= (self.settings["publish_floor"] or state.rating)
        kind = FIXED if player.fixed else self.kind(state)
        published = shown and not player.unlisted and not player.fixed
        return Standing(state.rating, state.games, None, kind, published, hidden=player.unlisted)

    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        return expected_score(own, opponent)

    def explained(self, row: Row) -> Explained:
        return icu_explained.explained(row)

    def rules(self) -> Rules:
        return icu_explained.rules(self.settings)

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, IcuState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[IcuState]:
        entrants = {id: self._entrant(table, players[id], states[id]) for id in table.players}
        for game in table.games:
            if game.played and table.rated:
                assert game.b is not None
                assert game.score is not None
                a, b = entrants[game.a], entrants[game.b]
                a.played.append(Played(b, game.score))
                b.played.append(Played(a, 1 - game.score))
        lost = icu_event.unlinked(entrants.values(), provisional_counts=self.settings["prov_counts_as_rated"])
        for entrant in entrants.values():
            entrant.played = [g for g in entrant.played if entrant.id not in lost and g.opponent.id not in lost]
        icu_event.compute(list(entrants.values()), self.settings)
        rows, after = [], {}
        for id, entrant in entrants.items():
            if entrant.played and entrant.kind != FIXED:
                after[id] = self._after(entrant)
                rows.append(self._row(entrant, table, players[id], after[id]))
            else:
                rows.append(self._idle_row(entrant, table, players[id], states[id], lost))
        warnings = [
            _("{id} and whoever he met have no rating: these games count for nobody", id=id) for id in sorted(lost)
        ]
        return TableResult(tuple(rows), after, warnings=tuple(warnings))

    def _entrant(self, table: Table, player: Player, state: IcuState) -> Entrant:
        if player.id in table.fixed or player.fixed:
            rating = table.fixed.get(player.id, state.rating)
            if rating is None:
                raise ValueError(_("{id} is a fixed outsider without a rating", id=player.id))
            return Entrant(player.id, FIXED, rating, 0)
        entrant = Entrant(player.id, self.kind(state), state.rating, state.games)
        if entrant.kind == GRADED:
            years = None if player.start_year is None else table.date.year - player.start_year
            entrant.k = icu_event.k_factor(state.rating or 0, under_21=is_under_21(player, table), years=years)
        return entrant

    def _after(self, entrant: Entrant) -> IcuState:
        graded = entrant.kind == GRADED
        games = entrant.games_before if graded else entrant.games_before + len(entrant.played)
        return IcuState(away_from_zero(entrant.after), games)

    def _row(self, entrant: Entrant, table: Table, player: Player, state: IcuState) -> Row:
        before = None if entrant.before is None else int(entrant.before)
        return Row(
            entrant.id,
            entrant.kind,
            self.kind(state),
            before,
            state.rating,
            None if before is None or state.rating is None else state.rating - before,
            len(entrant.played),
            state.games,
            entrant.performance,
            terms=tuple(icu_explained.terms(entrant)),
            figures=icu_explained.figures(entrant, self.settings) | {"assumed": assumed(entrant, player, table)},
        )

    def _idle_row(self, entrant: Entrant, table: Table, player: Player, state: IcuState, lost: set[str]) -> Row:
        standing = self.standing(state, player)
        if entrant.kind == FIXED:
            return untouched_row(
                player.id, replace(standing, rating=entrant.before, category=FIXED), _("fixed outsider")
            )
        note = _("not a rated table") if not table.rated else _("no rated game")
        if player.id in lost:
            note = _("met nobody with a rating, nor did those he met")
        return untouched_row(player.id, standing, note)


def is_under_21(player: Player, table: Table) -> bool:
    """Full years on the table's first day: who has his 21st birthday on it is not under 21."""
    if player.id in table.under_21:
        return True
    if player.birth_date is None:
        return False
    born, on = player.birth_date, table.date
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day)) < UNDER_21


def assumed(entrant: Entrant, player: Player, table: Table) -> list[str]:
    """What K was taken from for want of knowledge."""
    if entrant.kind != GRADED or entrant.k == 16:
        return []
    unknown = []
    if player.birth_date is None and player.id not in table.under_21:
        unknown.append(Icu1989.assumes["birth_date"])
    if player.start_year is None and entrant.k != 40:
        unknown.append(Icu1989.assumes["start_year"])
    return unknown
