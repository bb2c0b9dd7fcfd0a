"""Go in Belgium and the Netherlands: bgf and egf-2021, with handicap evenings and games online; Glicko-2 compared."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

from ratings.domain.events.tables import NumberedGame
from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, Club, RatingList, Table
from ratings.systems.handicaps import MAX_STONES

from . import crests
from .calendar import Occasion
from .federation import Federation
from .people import Person

CLUB_EVENING, ONLINE = 3, 7  # every nth event


class Go(Federation):
    federation = "Low Countries Go League"
    identity = {
        "short_name": "LCGL",
        "description": "Go ratings of Belgium and the Netherlands",
        "house": "plum",
        "crest": crests.GO,
        "languages": ["en", "fr", "de"],
    }
    site = "https://go.example.org"
    lists = (
        {"slug": "go", "name": "Go", "system": "bgf", "tie_breaks": "sos,sosos"},
        {"slug": "go-europe", "name": "Go, European rating", "system": "egf-2021", "tie_breaks": "sos,sosos"},
    )
    compared = ({"slug": "go-glicko", "name": "Go, Glicko-2", "system": "glicko-2"},)
    shares = {"fr_BE": 36, "nl_BE": 36, "nl_NL": 20, "de_DE": 4, "fr_FR": 4}
    hosts = ("BE", "NL")
    players, clubs, club_name, years, events_a_year = 90, 10, "Go {}", 8, 12
    kinds = ("Open", "Cup", "Championship", "Spring Open", "Autumn Open")
    time_controls = ("60min + 20/5min", "45min", "75min", "40min + 30sec byo-yomi")
    fields = (8, 26)
    draws = 0.005
    strength, gain = (-650, 430), (45, 50)
    strongest, weakest = 620, -2300

    def opening(self, person: Person) -> dict[str, Any]:
        return {"rating": round(person.strength, 1)}

    def opening_on(self, rating_list: RatingList, person: Person) -> dict[str, Any]:
        """Return the starting rating on the scale of the list; both have 100 points for a rank."""
        presentation = self.system.presentation
        state = self.opening(person)
        return state if rating_list == self.rated_on[0] else {"rating": state["rating"] + presentation.gor_of_zero}

    def add_list_data(self, people: list[Person]) -> None:
        """Save the declared ranks of most new players; players without one are not rated."""
        newcomers = [person for person in people if person.since >= self.start]
        self.prior_grades([person for person in newcomers if self.rng.random() < 0.95])

    def occasion(self, day: dt.date, number: int) -> Occasion:
        """Return the plan of an event: every third is an evening of a club, on the Wednesday before."""
        if number % CLUB_EVENING:
            return super().occasion(day, number)
        return Occasion(day - dt.timedelta(days=4), ("Club Evening",), (6, 10), 3)

    def details(self, table: Table, number: int) -> None:
        main, plus, overtime = table.event.time_control.partition(" + ")
        table.minutes = float(main.removesuffix("min"))
        if plus:
            table.overtime_moves, table.overtime_seconds = (20, 300) if "/" in overtime else (1, 30)
        table.tournament = bool(number % CLUB_EVENING)

    def conditions(self, game: NumberedGame, a: float, b: float, number: int) -> NumberedGame:
        """Add handicaps and some small boards to club evenings; some tournaments are played online."""
        if number % CLUB_EVENING:
            return replace(game, online=number % ONLINE == 0, black=self.rng.choice("ab"))
        stones = min(MAX_STONES, int(abs(a - b) / 100))
        board = 13 if self.rng.random() < 0.1 else 19
        return replace(game, stones=stones, black="b" if a > b else "a", board=board)

    def finish(self, people: list[Person], clubs: list[Club]) -> None:
        """Save a manual adjustment, as requested by the president of a club."""
        risen = max(people, key=lambda person: person.gain_a_year)
        day = self.today - dt.timedelta(days=200)
        rating = round(risen.strength_in(day.year), -2) + 50.0
        reason = "asked by the club's president: stronger than the rating"
        save_adjustment(
            Adjustment(list=self.rated_on[0], player=risen.player, date=day, set={"rating": rating}, reason=reason)
        )
