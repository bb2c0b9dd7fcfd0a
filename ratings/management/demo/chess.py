"""Chess in Ireland: icu-1989, with birth dates and start years of most players; FIDE and Glicko-2 for comparison."""

from __future__ import annotations

import datetime as dt
from typing import Any

from ratings.models import ListPlayer, Player

from . import crests
from .federation import Federation
from .people import Person


class Chess(Federation):
    federation = "Emerald Chess Union"
    identity = {
        "short_name": "ECU",
        "description": "Official chess ratings of Ireland",
        "house": "pine",
        "crest": crests.CHESS,
        "languages": ["en"],
        "records_gender": True,
    }
    site = "https://chess.example.org"
    lists = (
        {
            "slug": "chess",
            "name": "Chess",
            "system": "icu-1989",
            "tie_breaks": "sos-1,sos,sodos",
            "options": {"publish_floor": 700},
        },
    )
    compared = (
        {"slug": "chess-fide", "name": "Chess, FIDE", "system": "fide-2024"},
        {"slug": "chess-glicko", "name": "Chess, Glicko-2", "system": "glicko-2"},
    )
    shares = {"en_IE": 88, "en_GB": 6, "pl_PL": 6}
    hosts = ("IE",)
    players, clubs, club_name, years, events_a_year = 150, 16, "{} Chess Club", 8, 8
    kinds = ("Congress", "Open", "Masters", "Weekender", "Challengers", "Championship")
    time_controls = ("40 moves in 2 h", "90min", "75min")
    fields = (12, 34)
    draws = 0.16
    strength, gain = (1420, 260), (18, 25)
    strongest, weakest = 2350, 700

    def person(self, player: Player, since: dt.date) -> Person:
        person = super().person(player, since)
        young = person.first_year - (player.birth_year or 0) < 20
        if young:
            person.gain_a_year += 45
        if self.rng.random() < 0.9:
            player.birth_date = self.registry.birth_date(player.birth_year or 1970)
        else:
            player.birth_year = None
        return person

    def opening(self, person: Person) -> dict[str, Any]:
        return {"rating": round(person.strength), "games": self.rng.choice((20, 20, 20, 12, 6))}

    def add_list_data(self, people: list[Person]) -> None:
        """Save the start years of most players."""
        ListPlayer.objects.bulk_create(
            ListPlayer(list=self.rated_on[0], player=person.player, start_year=person.first_year)
            for person in people
            if self.rng.random() < 0.93
        )
