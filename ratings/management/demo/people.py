"""Generator of invented players and towns, by country."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from anyascii import anyascii

from ratings.models import Player, folded_name, new_public_id

# locale of the names: its country, and the pattern that makes a town of a surname
LOCALES = {
    "fr_FR": ("FR", "Saint-{}"), "de_DE": ("DE", "{}hausen"), "nl_NL": ("NL", "{}drecht"), "pl_PL": ("PL", "{}owo"),
    "en_GB": ("GB", "{} on Sea"), "sv_SE": ("SE", "{}stad"), "cs_CZ": ("CZ", "{}ov"), "it_IT": ("IT", "Monte {}"),
    "es_ES": ("ES", "Villa {}"), "uk_UA": ("UA", "{}hrad"), "hu_HU": ("HU", "{}falva"), "ja_JP": ("JP", "{}machi"),
    "en_IE": ("IE", "Bally{}"), "et_EE": ("EE", "{}linn"), "lv_LV": ("LV", "{}pils"), "fr_BE": ("BE", "Mont-{}"),
    "nl_BE": ("BE", "{}gem"),
}  # fmt: skip


@dataclass
class Person:
    """Player with their true strength in rating points, and its yearly gain."""

    player: Player
    strength: float
    gain_a_year: float
    first_year: int
    last_year: int
    activity: float

    def strength_in(self, year: int) -> float:
        return self.strength + self.gain_a_year * min(year - self.first_year, 6)


class Registry:
    """Generator of players and towns; `shares` are the weights of the locales of their names."""

    def __init__(self, chance: random.Random, shares: dict[str, int]) -> None:
        self.chance, self.shares = chance, shares
        self.fakers = {locale: import_module("faker").Faker(locale) for locale in shares}
        for number, faker in enumerate(self.fakers.values()):
            faker.seed_instance(chance.randrange(2**32) + number)

    def public_id(self) -> str:
        return "".join(self.chance.choice("23456789BCDFGHJKLMNPQRSTVWXZ") for _ in range(len(new_public_id())))

    def locales(self, count: int) -> Iterable[str]:
        return self.chance.choices(list(self.shares), list(self.shares.values()), k=count)

    def city(self, country: str) -> str:
        locale = next((locale for locale in self.shares if LOCALES[locale][0] == country), next(iter(self.shares)))
        pattern, name = LOCALES[locale][1], self.names(locale)[0]
        return pattern.format(name).replace("'", "").capitalize() if locale == "en_IE" else pattern.format(name)

    def names(self, locale: str) -> tuple[str, str, str]:
        """Return family and given name in Latin letters, and the native spelling if it differs."""
        faker = self.fakers[locale]
        if locale == "ja_JP":
            return faker.last_romanized_name(), faker.first_romanized_name(), ""
        family, given = faker.last_name(), faker.first_name()
        if locale == "uk_UA":
            return anyascii(family).replace("'", ""), anyascii(given).replace("'", ""), f"{family} {given}"
        return family, given, ""

    def player(self, locale: str, born: tuple[int, int]) -> Player:
        """Return an unsaved player, born between the two years of `born`."""
        family, given, native = self.names(locale)
        player = Player(
            public_id=self.public_id(),
            family_name=family,
            given_name=given,
            native_name=native,
            country=LOCALES[locale][0],
            birth_year=self.chance.randint(*born),
        )
        player.search_name = folded_name(player)
        return player

    def birth_date(self, year: int) -> dt.date:
        return dt.date(year, 1, 1) + dt.timedelta(days=self.chance.randrange(365))
