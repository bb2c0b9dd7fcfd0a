"""Forms of the ids of players in other registries."""

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


def normalize_outside_id(text: str) -> str:
    """Return an id as it is stored: in capitals, without blanks."""
    return "".join(text.split()).upper()


def read_outside_id(registry: str, text: str) -> str | None:
    """Return an id of a registry as it is stored, None if the text is not in its form."""
    value = normalize_outside_id(text)
    return value if FORMS[registry].fullmatch(value) else None


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
