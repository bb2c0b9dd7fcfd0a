"""Forms of the ids of players in other registries.

Mappings of ids have the registry's key as their key. For a national federation it is the country's code of two
capitals, such as `FR`: each has a registry of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

EGD, FIDE, AGA, US_CHESS, RIF, FESA, NATIONAL = "egd", "fide", "aga", "uscf", "rif", "fesa", "national"
"""Keys of the registries."""
FORMS: Mapping[str, re.Pattern[str]] = {
    EGD: re.compile(r"(?!0{8})[0-9]{8}"),  # eight zeros are what programs write for unknown players
    FIDE: re.compile(r"[1-9][0-9]{3,9}"),
    AGA: re.compile(r"[1-9][0-9]{0,5}"),
    US_CHESS: re.compile(r"[1-9][0-9]{7}"),
    RIF: re.compile(r"[1-9][0-9]{0,6}"),
    FESA: re.compile(r"[1-9][0-9]{0,6}"),
    NATIONAL: re.compile(r"[0-9A-Z][0-9A-Z./-]{0,19}"),
}
"""The whole form of an id of each registry."""
ISO_COUNTRIES = frozenset(
    re.findall(
        "[A-Z]{2}",
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
        BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
        FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
        IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
        ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
        PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
        TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """,
    )
)
"""Codes of countries, from ISO 3166-1 (alpha-2)."""
WRITTEN_NATIONAL = re.compile(r"(?P<country>[A-Za-z]{2})[\s:]+(?P<value>\S.*)")
"""Country and id of a national federation in a cell."""


def normalize_outside_id(text: str) -> str:
    """Return an id as it is stored: in capitals, without blanks."""
    return "".join(text.split()).upper()


def read_outside_id(registry: str, text: str) -> str | None:
    """Return an id of a registry, or of a country's federation, as it is stored; None if it is not in its form."""
    value = normalize_outside_id(text)
    return value if FORMS[split_key(registry)[0]].fullmatch(value) else None


def make_key(registry: str, country: str) -> str:
    """Return the key under which mappings hold the ids of a registry: the country's code for a national federation."""
    return country if registry == NATIONAL and country else registry


def split_key(key: str) -> tuple[str, str]:
    """Return registry and country of a key of such a mapping; only a national federation has a country."""
    return (NATIONAL, key) if key in ISO_COUNTRIES else (key, "")


def read_national_ids(text: str) -> dict[str, str] | None:
    """Return the ids in a text such as “FR A-12; DE 345” by country, None if a part of it is none.

    The country has to be written: a player may be registered in another country than that of their nationality. Two
    ids in one country cannot be told apart here, and count as unreadable.
    """
    ids: dict[str, str] = {}
    for part in filter(None, map(str.strip, re.split("[;,]", text))):
        match = WRITTEN_NATIONAL.fullmatch(part)
        country, value = (match["country"].upper(), read_outside_id(NATIONAL, match["value"])) if match else ("", None)
        if value is None or country in ids or country not in ISO_COUNTRIES:
            return None
        ids[country] = value
    return ids


def write_national_ids(ids: Mapping[str, str]) -> str:
    """Return the national ones of some ids as one text, such as “DE 345; FR A-12”."""
    return "; ".join(f"{key} {value}" for key, value in sorted(ids.items()) if key in ISO_COUNTRIES)


REGISTRY_NAMES: Mapping[str, str] = {
    "egd": EGD,
    "egf": EGD,
    "fide": FIDE,
    "aga": AGA,
    "us chess": US_CHESS,
    "uschess": US_CHESS,
    "uscf": US_CHESS,
    "rif": RIF,
    "fesa": FESA,
}
"""Registries by the names that people write before an id, in lower case."""
ID_WORDS = frozenset({"id", "pin", "no", "nr", "number"})
"""Words between the name of a registry and an id, in lower case."""


class WrittenId(NamedTuple):
    """An id as a person wrote it; `registry` is empty if none was named, `country` is that of a national federation."""

    registry: str
    country: str
    value: str


def read_written_ids(text: str) -> list[WrittenId]:
    """Return the ids that a text such as “EGD PIN 12345678”, “FIDE: 1503014”, “FR A-12” or “12345678” may mean.

    A text without a digit means none.
    """
    words = re.split(r"[\s:#]+", text.strip(" \t:#"))
    heads = next((n for n, word in enumerate(words) if any(map(str.isdecimal, word))), None)
    if heads is None:
        return []
    return [id for start in range(heads + 1) if (id := _read_after(words[:start], "".join(words[start:])))]


def _read_after(head: list[str], written: str) -> WrittenId | None:
    """Return the id that some words introduce, None if they name no registry or it is not in the form of one."""
    name = " ".join(word for word in map(str.lower, head) if word not in ID_WORDS)
    is_country = re.fullmatch("[a-z]{2}", name) is not None
    registry = NATIONAL if is_country or not name else REGISTRY_NAMES.get(name)
    value = read_outside_id(registry, written) if registry else None
    if registry is None or value is None:
        return None
    return WrittenId(registry if name else "", name.upper() if is_country else "", value)
