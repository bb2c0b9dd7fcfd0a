"""Shogi in Europe: fesa-2016, with the first edition of the rules for comparison."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

from ratings.domain.events.tables import NumberedGame
from ratings.domain.lists.adjustments import save_list
from ratings.models import Club, Player, RatingList
from ratings.systems.fesa.tables import HANDICAPS

from . import crests
from .federation import Federation
from .masters import add_masters, masters_days
from .people import Person


class Shogi(Federation):
    federation = "Continental Shogi Federation"
    identity = {
        "short_name": "CSF",
        "description": "Official shogi ratings in Europe",
        "house": "indigo",
        "crest": crests.SHOGI,
        "languages": ["en", "fr", "de", "ja"],
        "records_gender": True,
    }
    site = "https://shogi.example.org"
    lists = ({"slug": "shogi", "name": "Shogi", "system": "fesa-2016", "tie_breaks": "sos,sodos"},)
    shares = {
        "fr_FR": 20,
        "de_DE": 17,
        "nl_NL": 10,
        "pl_PL": 9,
        "en_GB": 8,
        "sv_SE": 7,
        "cs_CZ": 6,
        "it_IT": 5,
        "es_ES": 5,
        "uk_UA": 5,
        "hu_HU": 4,
        "ja_JP": 4,
        "el_GR": 3,
        "ka_GE": 3,
    }
    hosts = ("FR", "DE", "NL", "PL", "GB", "SE", "CZ", "IT", "ES", "UA", "HU", "GR", "GE")
    abroad = ("JP",)
    players, clubs, club_name, events_a_year = 340, 40, "Shogi {}", 15
    kinds = ("Open", "Championship", "Grand Prix", "Spring Cup", "Summer Cup", "Autumn Cup", "Winter Cup")
    time_controls = ("30min + 30sec", "20min + 40sec", "45min + 40sec")
    draws = 0.015
    strength, gain = (1250, 420), (35, 45)
    strongest, weakest = 2380, 1

    def person(self, player: Player, since: dt.date) -> Person:
        person = super().person(player, since)
        if player.country == "JP":
            person.strength = min(self.strongest, person.strength + 500)
        return person

    def opening(self, person: Person) -> dict[str, Any]:
        rating = max(100, round(person.strength))
        games = self.rng.randint(18, 180)
        return {"rating": rating, "games": games, "bonus_games": 100, "grade": self.grade_of(rating - 30)}

    def add_list_data(self, people: list[Person]) -> None:
        """Save official grades from elsewhere of some strong new players."""
        newcomers = [person for person in people if person.since >= self.start]
        self.prior_grades([p for p in newcomers if p.strength > 1850 and self.rng.random() < 0.6])

    def conditions(self, game: NumberedGame, a: float, b: float, number: int) -> NumberedGame:
        """Add handicaps to every sixth tournament: the largest that leaves the stronger player the favourite."""
        if number % 6 or abs(a - b) <= 200:
            return game
        options = [replace(game, handicap=kind, giver="a" if a > b else "b") for kind in HANDICAPS]
        fair = [option for option in options if (self.expected_score(option, a, b) >= 0.5) == (a > b)]
        return max(fair, key=lambda option: HANDICAPS[option.handicap or ""], default=game)

    def event_days(self) -> list[dt.date]:
        taken = masters_days(self.today)
        return [day for day in super().event_days() if day not in taken]

    def finish(self, people: list[Person], clubs: list[Club]) -> None:
        """Add masters' events, and a comparison list by the first edition of the rules."""
        add_masters(self, people, clubs)
        first_edition = RatingList(
            federation=self.rated_on[0].federation,
            slug="shogi-2000",
            name="Shogi, first edition",
            system="fesa-2000",
            comparison_to=self.rated_on[0],
        )
        save_list(first_edition)
