"""Generator of invented players, by the locales of their names."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable
from dataclasses import dataclass

from ratings.models import Player, folded_name
from ratings.models.players.people import ID_LETTERS

from .names import Names

COUNTRIES = {
    "fr_FR": "FR", "de_DE": "DE", "nl_NL": "NL", "pl_PL": "PL", "en_GB": "GB", "sv_SE": "SE", "cs_CZ": "CZ",
    "it_IT": "IT", "es_ES": "ES", "uk_UA": "UA", "hu_HU": "HU", "ja_JP": "JP", "en_IE": "IE", "et_EE": "EE",
    "lv_LV": "LV", "fr_BE": "BE", "nl_BE": "BE", "el_GR": "GR", "ka_GE": "GE",
}  # fmt: skip
BIRTH_YEAR_SHOWN = 0.3
"""Share of the players who let the public see their birth year."""

GENDER_SHOWN = 0.6
"""Share of the players who let the public see their gender, where the federation records it."""


@dataclass
class Person:
    """Player with their true strength in rating points, its yearly gain, and when and where they play."""

    player: Player
    strength: float
    gain_a_year: float
    since: dt.date
    until: dt.date
    activity: float
    lives_in: str

    @property
    def first_year(self) -> int:
        return self.since.year

    def strength_in(self, year: int) -> float:
        return self.strength + self.gain_a_year * max(0, min(year - self.first_year, 6))

    def plays_on(self, day: dt.date) -> bool:
        return self.since <= day <= self.until


def draw_public_id(chance: random.Random) -> str:
    return "".join(chance.choices(ID_LETTERS, k=7))


class Registry:
    """Generator of players; `shares` are the weights of the locales of their names."""

    def __init__(self, chance: random.Random, shares: dict[str, int]) -> None:
        self.chance, self.shares = chance, shares
        self.names = Names(chance, list(shares))

    def public_id(self) -> str:
        return draw_public_id(self.chance)

    def locales(self, count: int) -> Iterable[str]:
        """Return locales by their shares: each of them once, then `count` random ones."""
        return list(self.shares) + self.chance.choices(list(self.shares), list(self.shares.values()), k=count)

    def player(self, locale: str, born: tuple[int, int]) -> Player:
        """Return an unsaved player, born between the two years of `born`."""
        name = self.names.draw(locale)
        player = Player(
            public_id=self.public_id(),
            family_name=name.family,
            given_name=name.given,
            native_name=name.native,
            country=COUNTRIES[locale],
            birth_year=self.chance.randint(*born),
            birth_public=self.chance.random() < BIRTH_YEAR_SHOWN,
            gender=name.gender,
        )
        # drawn from the id, so that names and results stay as they are
        player.gender_public = random.Random(player.public_id).random() < GENDER_SHOWN
        player.search_name = folded_name(player)
        return player

    def birth_date(self, year: int) -> dt.date:
        return dt.date(year, 1, 1) + dt.timedelta(days=self.chance.randrange(365))
