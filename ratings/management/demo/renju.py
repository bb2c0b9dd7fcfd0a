"""Renju on two lists: the same tables by the rules of 1995 and of 1997; those of 2021 for comparison."""

from __future__ import annotations

from typing import Any

from ratings.models import Table

from . import crests
from .federation import Federation
from .people import Person


class Renju(Federation):
    federation = "Northern Renju Union"
    identity = {
        "short_name": "NRU",
        "description": "Renju ratings around the Baltic Sea and beyond",
        "house": "ocean",
        "crest": crests.RENJU,
        "languages": ["en", "de", "ja"],
    }
    site = "https://renju.example.org"
    lists = (
        {"slug": "renju", "name": "Renju 1995", "system": "rif-1995", "tie_breaks": "sos,sodos"},
        {"slug": "renju-1997", "name": "Renju 1997", "system": "rif-1997", "tie_breaks": "sos,sodos"},
    )
    compared = ({"slug": "renju-2021", "name": "Renju 2021", "system": "rif-2021"},)
    shares = {"et_EE": 30, "sv_SE": 24, "lv_LV": 16, "cs_CZ": 12, "hu_HU": 10, "ja_JP": 8}
    hosts, abroad = ("EE", "SE", "LV", "CZ", "HU"), ("JP",)
    players, clubs, club_name, events_a_year = 70, 9, "Renju {}", 5
    kinds = ("Open", "Championship", "Cup", "Summer Cup", "Winter Cup", "Tournament")
    time_controls = ("60min", "90min", "75min")
    fields = (8, 16)
    draws = 0.08
    strength, gain = (2150, 170), (12, 18)
    strongest, weakest = 2650, 1700

    def opening(self, person: Person) -> dict[str, Any]:
        return {"rating": round(person.strength)}

    def details(self, table: Table, number: int) -> None:
        """Set the thinking time; every eleventh event is too fast to be rated."""
        table.minutes = 30 if number % 11 == 0 else float(table.event.time_control.removesuffix("min"))
        if number % 11 == 0:
            table.event.time_control = "30min"
            table.event.save()
