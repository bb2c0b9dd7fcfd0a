"""Certainty that a written name means a known player, with the reasons for it.

The module is pure. Each known player gets a weight: how well the name agrees, times factors for country, rating list
and recent play. The certainty is the player's share of all weights, where `OUTSIDER` stands for everybody who is not
known. So a second player with a similar name lowers the certainty of the first.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA

from ratings.matching import SPELLED_OUT, fold, fold_expanded, initials_of, split_whole_name
from ratings.systems.messages import Message, MessageCode

_ = Message

ACCEPTED_ABOVE = 0.95
"""Certainty above which one button accepts a candidate; no candidate whose country differs reaches it."""
LIKELY_FROM = 0.5
"""Minimum certainty of a candidate that is named as the likely player."""
LISTED_FROM = 0.02
"""Minimum certainty of a candidate that is offered at all."""

OUTSIDER = 0.01
"""Weight of everybody who is not known, for a name that is written as that of a known player."""
OTHER_COUNTRY_AT_MOST = 0.6
GIVEN_FIRST = 0.9
"""Weight of a whole name in one field that begins with the given name; one that begins with the family name has 1."""
ACTIVE_YEARS = 2.0


class NameReason(MessageCode, namespace="name"):
    """Reasons why a written name may mean a player."""

    SAME_NAME = _("same name")
    SAME_LETTERS = _("same letters, other capitals or marks")
    SPELLED_OUT = _("“{written}” for “{known}”")
    ONE_LETTER = _("one letter differs")
    LETTERS = _("{count} letters differ")
    OTHER_NAME_EXISTS = _("others are called {name}")
    ENDING = _("the ending differs")
    SWAPPED = _("names swapped")
    ONE_FIELD = _("first and last name in one field")
    INITIAL = _("initial")
    ONLY_ONE = _("the only {name}")
    GIVEN_MISSING = _("first name missing")
    PART_MISSING = _("part of the name")
    FORMER_NAME = _("former name {name}")
    NATIVE_NAME = _("native name is the same")
    CHOSEN_BEFORE = _("you chose this before")
    SAME_COUNTRY = _("same country")
    OTHER_COUNTRY = _("other country")
    INACTIVE = _("has not played lately")


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A name as a file or a person wrote it, with the country beside it, if any."""

    family: str
    given: str
    country: str = ""


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player whom a name may mean.

    `former` are earlier (family, given) names; `namesakes` is the number of known players with this family name;
    `idle_years` is the time since the last event, None if there was none. `is_chosen_before` is True if the same
    person chose this player for the same written name.
    """

    id: str
    family: str
    given: str
    country: str = ""
    native: str = ""
    former: tuple[tuple[str, str], ...] = ()
    namesakes: int = 1
    on_list: bool = False
    idle_years: float | None = None
    is_chosen_before: bool = False


@dataclass(frozen=True, slots=True)
class Resemblance:
    """The certainty, from 0 to 1, that a name means a player, with the reasons."""

    id: str
    certainty: float
    reasons: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class _Agreement:
    """Degree to which names agree: a weight from 0 to 1, and the reasons."""

    weight: float
    reasons: tuple[Message, ...] = field(default=())

    def __mul__(self, other: _Agreement) -> _Agreement:
        return _Agreement(self.weight * other.weight, (*self.reasons, *other.reasons))


_EQUAL, _NONE = _Agreement(1.0), _Agreement(0.0)


def rate_candidates(
    written: WrittenName, players: Iterable[KnownPlayer], known_words: Container[str] = ()
) -> list[Resemblance]:
    """Return the certainty of each player, highest first.

    `known_words` are the folded words of all known names: a word that differs from a player's by a letter and is
    itself a name is hardly a typing error.
    """
    weighed = [(player, _weigh(written, player, known_words)) for player in players]
    total = OUTSIDER + math.fsum(agreement.weight for _player, agreement in weighed)
    rated = [
        Resemblance(player.id, _limit(agreement.weight / total, written, player), agreement.reasons)
        for player, agreement in weighed
    ]
    return sorted(rated, key=lambda resemblance: (-resemblance.certainty, resemblance.id))


def is_sure(candidates: Sequence[Resemblance]) -> bool:
    """Return True if the first of some candidates, most certain first, may be accepted without a look."""
    return bool(candidates) and candidates[0].certainty > ACCEPTED_ABOVE


def _limit(certainty: float, written: WrittenName, player: KnownPlayer) -> float:
    return min(certainty, OTHER_COUNTRY_AT_MOST) if _countries_differ(written, player) else certainty


def _countries_differ(written: WrittenName, player: KnownPlayer) -> bool:
    return bool(written.country and player.country) and written.country.upper() != player.country.upper()


def _weigh(written: WrittenName, player: KnownPlayer, known_words: Container[str]) -> _Agreement:
    """Return the weight of a player, with the reasons."""
    agreements = [_compare_names(written, player.family, player.given, player.namesakes, known_words)]
    for family, given in player.former:
        former = _compare_names(written, family, given, 1, known_words)
        name = _Agreement(0.9, (NameReason.FORMER_NAME(name=f"{family} {given}".strip()),))
        agreements.append(name if former.weight == 1 else name * former)
    if player.native and _is_native(written, player.native):
        agreements.append(_Agreement(1.0, (NameReason.NATIVE_NAME(),)))
    if player.is_chosen_before:
        agreements.append(_Agreement(1.0, (NameReason.CHOSEN_BEFORE(),)))
    best = max(agreements, key=lambda agreement: agreement.weight)
    has_reason = len(best.reasons) > 1 or player.is_chosen_before
    return best * _weigh_circumstances(written, player, has_reason=has_reason)


def _is_native(written: WrittenName, native: str) -> bool:
    name = "".join(fold(native).split())
    parts = "".join(fold(written.family).split()), "".join(fold(written.given).split())
    return name in ("".join(parts), "".join(reversed(parts)))


def _weigh_circumstances(written: WrittenName, player: KnownPlayer, *, has_reason: bool) -> _Agreement:
    """Return the factor for country, list and recent play; the country is a reason if there are few others."""
    factor, reasons = 1.0, []
    if _countries_differ(written, player):
        factor *= 0.05
        reasons.append(NameReason.OTHER_COUNTRY())
    elif not (written.country and player.country):
        factor *= 0.6
    elif not has_reason:
        reasons.append(NameReason.SAME_COUNTRY())
    if not player.on_list:
        factor *= 0.4
    if player.idle_years is None or player.idle_years > ACTIVE_YEARS:
        is_long = player.idle_years is None or player.idle_years > 2.5 * ACTIVE_YEARS
        factor *= 0.5 if is_long else 0.7
        if player.idle_years is not None:
            reasons.append(NameReason.INACTIVE())
    return _Agreement(factor, tuple(reasons))


def _compare_names(
    written: WrittenName, family: str, given: str, namesakes: int, known_words: Container[str]
) -> _Agreement:
    """Return the best agreement of a written name with a known one: in this order, swapped, or written as one."""
    straight = _compare_in_order(written.family, written.given, family, given, namesakes, known_words)
    if not (written.given and given):
        whole = _split_whole_name(written.family) if given and not written.given else []
        agreements = [
            _Agreement(weight, (NameReason.ONE_FIELD(),)) * _Agreement(each.weight, _drop_same_name(each.reasons))
            for weight, parts in whole
            for each in [_compare_in_order(*parts, family, given, namesakes, known_words)]
        ]
        return max([straight, *agreements], key=lambda agreement: agreement.weight)
    swapped = _compare_in_order(written.given, written.family, family, given, namesakes, known_words)
    swapped = _Agreement(0.7, (NameReason.SWAPPED(),)) * _Agreement(swapped.weight, _drop_same_name(swapped.reasons))
    return max(straight, swapped, key=lambda agreement: agreement.weight)


def _split_whole_name(name: str) -> list[tuple[float, tuple[str, str]]]:
    """Return the (family, given) names that a whole name in one field may mean, with a weight for their order."""
    splits = split_whole_name(name)
    return [(1.0, parts) for parts in splits] + [(GIVEN_FIRST, (given, family)) for family, given in splits]


def _drop_same_name(reasons: tuple[Message, ...]) -> tuple[Message, ...]:
    same = (NameReason.SAME_NAME.code, NameReason.SAME_LETTERS.code)
    return tuple(reason for reason in reasons if reason.code not in same)


def _compare_in_order(
    written_family: str, written_given: str, family: str, given: str, namesakes: int, known_words: Container[str]
) -> _Agreement:
    if (written_family, written_given) == (family, given):
        return _Agreement(1.0, (NameReason.SAME_NAME(),))
    if (fold(written_family), fold(written_given)) == (fold(family), fold(given)):
        return _Agreement(1.0, (NameReason.SAME_LETTERS(),))
    families = _compare_part(written_family, family, known_words, is_given=False)
    if fold(written_given) == fold(given):
        return families
    if not written_given or not given:
        return families * _Agreement(0.02, (NameReason.GIVEN_MISSING(), *_name_only_one(family, namesakes)))
    if _is_initial(written_given, given):
        weight = 0.3 if namesakes == 1 else 0.1
        return families * _Agreement(weight, (NameReason.INITIAL(), *_name_only_one(family, namesakes)))
    return families * _compare_part(written_given, given, known_words, is_given=True)


def _name_only_one(family: str, namesakes: int) -> tuple[Message, ...]:
    return (NameReason.ONLY_ONE(name=family),) if namesakes == 1 else ()


def _is_initial(written: str, known: str) -> bool:
    """Return True if one of two given names is the initials of the other, as "A." of "Alva"."""
    return any(
        initials == [word[0] for word in fold(name).split()][: len(initials)]
        for initials, name in ((initials_of(written), known), (initials_of(known), written))
        if initials
    )


def _compare_part(written: str, known: str, known_words: Container[str], *, is_given: bool) -> _Agreement:
    """Return the agreement of two family names, or of two given names."""
    plain, folded = fold(written), fold(known)
    if plain == folded:
        return _EQUAL
    if fold_expanded(written) == folded or plain == fold_expanded(known):
        return _Agreement(0.9, (_describe_spelling(written, known),))
    if _letters_of(plain) == _letters_of(folded):
        return _Agreement(0.9, (NameReason.SAME_LETTERS(),))
    if _is_part(plain, folded) or _is_part(folded, plain):
        return _Agreement(0.3, (NameReason.PART_MISSING(),))
    spellings = ((plain, folded), (fold_expanded(written), folded), (plain, fold_expanded(known)))
    first, second = min(spellings, key=lambda pair: OSA.distance(*pair))
    return _compare_letters(first, second, known_words, is_given=is_given)


def _describe_spelling(written: str, known: str) -> Message:
    """Return the letters that one of two names spells out, as “oe” for “ö”."""
    for letter, digraph in SPELLED_OUT.items():
        if letter in known.lower() and digraph in written.lower():
            return NameReason.SPELLED_OUT(written=digraph, known=letter)
        if letter in written.lower() and digraph in known.lower():
            return NameReason.SPELLED_OUT(written=letter, known=digraph)
    return NameReason.SAME_LETTERS()


def _letters_of(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _words_of(text: str) -> list[str]:
    return text.replace("-", " ").split()


def _is_part(part: str, whole: str) -> bool:
    """Return True if a name is a word, or some words in a row, of a longer name."""
    return len(part) > 1 and f" {' '.join(_words_of(part))} " in f" {' '.join(_words_of(whole))} "


TYPING_ERRORS = {1: ((5, 0.5), (4, 0.25), (0, 0.05)), 2: ((8, 0.25), (6, 0.08), (0, 0.005))}
"""Weights of names with one or two letters different: (minimum number of letters, weight)."""
SLIP = ((4, 0.5), (0, 0.1))
"""Weights of names with a letter doubled or two neighbours exchanged, which no two names differ by."""


def _compare_letters(written: str, known: str, known_words: Container[str], *, is_given: bool) -> _Agreement:
    """Return the agreement of two folded names that differ by some letters, as by typing errors."""
    distance, length = OSA.distance(written, known), min(len(written), len(known))
    if distance not in TYPING_ERRORS:
        weight = 0.002 if 2 * distance <= length else 0.0
        return _Agreement(weight, (NameReason.LETTERS(count=distance),))
    is_slip = distance == 1 and _is_slip(written, known)
    weights = SLIP if is_slip else TYPING_ERRORS[distance]
    weight = next(weight for letters, weight in weights if length >= letters)
    reasons = [NameReason.ONE_LETTER() if distance == 1 else NameReason.LETTERS(count=distance)]
    if written[:1] != known[:1] and not is_slip:
        weight *= 0.3
    if is_given and not is_slip and _differ_at_the_end(written, known):
        weight *= 0.1
        reasons = [NameReason.ENDING()]
    other_words = [word for word in _words_of(written) if word not in _words_of(known)]
    if other_words and all(word in known_words for word in other_words):
        weight *= 0.05
        reasons.append(NameReason.OTHER_NAME_EXISTS(name=written.title()))
    return _Agreement(weight, tuple(reasons))


def _is_slip(first: str, second: str) -> bool:
    """Return True if two names at distance 1 differ by a doubled letter or by two exchanged neighbours."""
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) == len(longer):
        return sorted(shorter) == sorted(longer)
    return any(
        longer[:n] + longer[n + 1 :] == shorter and longer[n] in (longer[n - 1 : n], longer[n + 1 : n + 2])
        for n in range(len(longer))
    )


def _differ_at_the_end(first: str, second: str) -> bool:
    """Return True if two names differ in their endings only, as Jan and Jana, or Mario and Maria."""
    common = next((n for n, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
    shorter = min(len(first), len(second))
    return (shorter if common is None else common) >= max(len(first), len(second)) - 2 and (
        common is None or common >= shorter - 1
    )
