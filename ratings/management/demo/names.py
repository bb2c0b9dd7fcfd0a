"""Names of invented people: family and given name of one gender, in Latin letters and in their own script."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any, NamedTuple

from anyascii import anyascii

WOMEN = 0.18
"""Share of women among the players."""
FAMOUS = (
    "Adams Michael", "Baburin Alexander", "Fujii Sota", "Habu Yoshiharu", "Ivanchuk Vasyl", "Kato Hifumi",
    "Karlsson Stefan", "Leko Peter", "Meritee Ando", "Muzychuk Anna", "Muzychuk Mariia", "Nakamura Shigeru",
    "Navara David", "Polgár Judit", "Portisch Lajos", "Sato Yasumitsu", "Short Nigel", "Taimla Tunnet",
    "Tanaka Torahiko", "Watanabe Akira",
)  # fmt: skip
"""Well-known players, family name first; nobody in the demo has such a name."""
UKRAINIAN = str.maketrans({"г": "h", "Г": "H", "ґ": "g", "Ґ": "G", "ь": "", "'": "", "ʼ": "", "’": ""})
GREEK = {"ου": "ou", "ού": "ou", "Ου": "Ou", "ευ": "ev", "εύ": "ev", "Ευ": "Ev", "αυ": "av", "γγ": "ng", "γκ": "gk"}


class Name(NamedTuple):
    """A name in Latin letters, and as its bearer writes it; `native` is empty where that is the same."""

    family: str
    given: str
    gender: str
    native: str = ""


class Names:
    """Generator of names of some locales, each by a faker of its own with a fixed seed."""

    def __init__(self, chance: random.Random, locales: list[str]) -> None:
        self.chance = chance
        self.fakers: dict[str, Any] = {locale: import_module("faker").Faker(locale) for locale in locales}
        for faker in self.fakers.values():
            faker.seed_instance(chance.randrange(2**32))

    def draw(self, locale: str) -> Name:
        """Return the name of a woman or a man, not abbreviated, that is not the name of a well-known player."""
        gender = "female" if self.chance.random() < WOMEN else "male"
        while True:
            name = self._draw(locale, gender)
            if f"{name.family} {name.given}" not in FAMOUS and "." not in name.given:
                return name

    def _draw(self, locale: str, gender: str) -> Name:
        faker = self.fakers[locale]
        if locale == "ja_JP":
            family, given = faker.last_name_pair(), getattr(faker, f"first_name_{gender}_pair")()
            return Name(family[2], given[2], gender, f"{family[0]} {given[0]}")
        family, given = getattr(faker, f"last_name_{gender}")(), getattr(faker, f"first_name_{gender}")()
        if locale not in LATIN:
            return Name(family, given, gender)
        return Name(LATIN[locale](family), LATIN[locale](given), gender, f"{family} {given}")


def _latin_ukrainian(name: str) -> str:
    return anyascii(name.translate(UKRAINIAN)).replace("'", "")


def _latin_greek(name: str) -> str:
    for greek, latin in GREEK.items():
        name = name.replace(greek, latin)
    return anyascii(name)


def _latin_georgian(name: str) -> str:
    return anyascii(name).replace("'", "").capitalize()


LATIN = {"uk_UA": _latin_ukrainian, "el_GR": _latin_greek, "ka_GE": _latin_georgian}
"""Functions that write a name of a locale in Latin letters."""
