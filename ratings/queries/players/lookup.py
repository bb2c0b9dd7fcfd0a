"""Players whom the lines of a pasted list mean, as the public may see them, with their standings on a list."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models.functions import Coalesce

from ratings.characters import JOINERS
from ratings.formats.people.outside_ids import WrittenId, read_written_ids
from ratings.formats.sheet_content import SheetRow
from ratings.matching import NameIndex, fold
from ratings.models import Club, NameVisibility, OutsideId, Player, RatingList, Standing
from ratings.name_certainty import ACCEPTED_ABOVE
from ratings.queries.lists.deviations import set_deviations, with_deviation_states
from ratings.queries.lists.lists import published_standings
from ratings.queries.lists.ranks import ranks_of

from .known_names import find_public_names, is_named_in_public
from .names import spellings
from .players import with_current_club
from .roster import Roster

MAX_LINES, MAX_LENGTH = 200, 100
MAX_CANDIDATES = 5
Name = tuple[str, str]
"""Family and given name, as written."""


class Verdict(StrEnum):
    """Result for a line: one player, several to whom it applies equally, only similar names, or no player."""

    FOUND = "found"
    SEVERAL = "several"
    SIMILAR = "similar"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ListedPlayer:
    """A player with the published standing on a list, and confirmed ids in other registries.

    `standing` is None for a player who is not on the list, `rank` also for one who is not active. The deviation is in
    rating points.
    """

    player: Player
    standing: Standing | None
    rank: int | None
    deviation: float | None
    outside_ids: Sequence[OutsideId]

    @property
    def club(self) -> Club | None:
        memberships = [] if self.player.is_anonymous else self.player.present  # type: ignore[attr-defined] # prefetched
        return memberships[0].club if memberships else None


@dataclass(frozen=True)
class LookedUpLine:
    """A line as typed, with the player whom it means, else the candidates, likeliest first.

    `is_similar` is True if the name only resembles that of the player, but surely nobody else is meant.
    """

    text: str
    verdict: Verdict
    found: ListedPlayer | None = None
    candidates: Sequence[ListedPlayer] = ()
    is_similar: bool = False


@dataclass(frozen=True)
class _Answer:
    """Primary keys of the players whom a text may mean; only one if the verdict is FOUND."""

    verdict: Verdict
    players: Sequence[int] = ()
    is_similar: bool = False


def look_up_players(lines: Sequence[str], rating_list: RatingList, today: dt.date) -> list[LookedUpLine]:
    """Return the player or the candidates for each line, in the order of the lines.

    A line is a public id, a confirmed id in another registry with or without its name, or a name in any order. Players
    who are not shown by full name are found by their public id only. The number of queries does not depend on that of
    the lines, except that PostgreSQL looks for names in batches. Raise ValueError for more than `MAX_LINES` lines, or a
    line of more than `MAX_LENGTH` characters.
    """
    if len(lines) > MAX_LINES or any(len(line) > MAX_LENGTH for line in lines):
        raise ValueError(f"at most {MAX_LINES} lines of at most {MAX_LENGTH} characters")
    read = {line: _clean(line) for line in lines}
    answers = {text: _Answer(Verdict.UNKNOWN) for text in read.values()}
    for find in (_find_by_public_id, _find_by_outside_id):
        answers |= find([text for text, answer in answers.items() if answer.verdict == Verdict.UNKNOWN])
    unknown = [text for text, answer in answers.items() if text and answer.verdict == Verdict.UNKNOWN]
    answers |= _find_by_name(unknown, rating_list, today)
    listed = _describe({pk for answer in answers.values() for pk in answer.players}, rating_list, today)
    return [_build_line(line, answers[read[line]], listed) for line in lines]


def _build_line(line: str, answer: _Answer, listed: Mapping[int, ListedPlayer]) -> LookedUpLine:
    players = [listed[pk] for pk in answer.players]
    if answer.verdict == Verdict.FOUND:
        return LookedUpLine(line, answer.verdict, players[0], is_similar=answer.is_similar)
    return LookedUpLine(line, answer.verdict, candidates=players)


def _clean(line: str) -> str:
    """Return a line without invisible characters, and with single spaces, also for tabs and control characters."""
    kinds = {character: unicodedata.category(character) for character in line}
    shown = "".join(
        " " if kinds[character] in {"Cc", "Zl", "Zp"} else character
        for character in line
        if character in JOINERS or kinds[character] not in {"Cf", "Co", "Cs"}
    )
    return " ".join(shown.split())


def _find_by_public_id(texts: Iterable[str]) -> dict[str, _Answer]:
    """Return the answers for texts that are public ids, in capitals or not; a merged player's id leads further."""
    ids = {text: spellings(text) for text in texts if re.fullmatch("[A-Za-z0-9]{1,12}", text)}
    players = Player.objects.filter(public_id__in={id for several in ids.values() for id in several})
    known = dict(players.values_list("public_id", Coalesce("merged_into", "pk"))) if ids else {}
    return {
        text: _Answer(Verdict.FOUND, [known[id]])
        for text, several in ids.items()
        for id in sorted(several, key=text.__eq__)  # the id as typed last, so that it counts
        if id in known
    }


def _find_by_outside_id(texts: Iterable[str]) -> dict[str, _Answer]:
    """Return the answers for texts that are confirmed ids of players who are found by name."""
    written = {text: ids for text in texts if (ids := read_written_ids(text))}
    values = {id.value for ids in written.values() for id in ids}
    public = Player.objects.filter(is_named_in_public())
    known = OutsideId.objects.exclude(confirmed_at=None).filter(value__in=values, player__in=public)
    by_id: dict[WrittenId, set[int]] = defaultdict(set)
    rows = known.values_list("registry", "country", "value", Coalesce("player__merged_into", "player"))
    for registry, country, value, pk in rows if values else ():
        by_id[WrittenId(registry, str(country), value)].add(pk)
        by_id[WrittenId("", "", value)].add(pk)
    found = {text: sorted({pk for id in ids for pk in by_id[id]}) for text, ids in written.items()}
    return {text: _decide(pks) for text, pks in found.items() if pks}


def _decide(pks: Sequence[int]) -> _Answer:
    return _Answer(Verdict.FOUND if len(pks) == 1 else Verdict.SEVERAL, pks[:MAX_CANDIDATES])


def _find_by_name(texts: Sequence[str], rating_list: RatingList, today: dt.date) -> dict[str, _Answer]:
    """Return the answers for names."""
    known = find_public_names(name for text in texts for name in _split(text)[:2])
    index = known.index()
    given_names = {given for _family, given in index.by_name if given}
    rows = {text: [SheetRow(*name) for name in _choose_readings(text, index, given_names)] for text in texts}
    roster = Roster([row for several in rows.values() for row in several], (), [rating_list], today, known)
    native: dict[str, list[str]] = defaultdict(list)
    for id, name in known.native.items():
        native[_join(name)].append(id)
    return {text: _find_named(several, native[_join(text)], roster) for text, several in rows.items()}


def _join(name: str) -> str:
    """Return a folded name without blanks and commas, as names in the player's own script are compared."""
    return "".join(fold(name.replace(",", " ")).split())


def _split(text: str) -> list[Name]:
    """Return the ways to read a name, the most usual first: “Family, Given”, else any parts in both orders."""
    family, comma, given = (part.strip() for part in text.partition(","))
    if comma:
        given = " ".join(given.replace(",", " ").split())
        return [(family, given) if family else (given, "")]
    words = text.split()
    parts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(len(words) - 1, 0, -1)]
    return [name for first, second in parts for name in ((first, second), (second, first))] + [(text, "")]


def _choose_readings(text: str, index: NameIndex, given_names: Collection[str]) -> list[Name]:
    """Return the ways to read a name that give a known one, else the only one to compare with similar names.

    That is one with a known family name, else one with a known given name (folded), else the most usual one.
    """
    names = _split(text)
    exact = [name for name in names if (fold(name[0]), fold(name[1])) in index.by_name]
    partly_known = [name for name in names if index.count_namesakes(name[0])]
    partly_known += [name for name in names if fold(name[1]) in given_names]
    return exact or [*partly_known, names[0]][:1]


def _find_named(rows: Sequence[SheetRow], native: Collection[str], roster: Roster) -> _Answer:
    """Return the answer for a name; `rows` are the ways to read it, `native` who has it in their own script."""
    certainties: dict[Player, float] = {}
    for number, row in enumerate(rows):
        roster.match(number, row)
        for candidate in roster.candidates[number]:
            certainties[candidate.player] = max(candidate.certainty, certainties.get(candidate.player, 0))
    ordered = sorted(certainties, key=lambda player: (-certainties[player], player.public_id))
    is_exact = roster.get_verdict(rows[0]) in ("exact", "several")
    same = [player.pk for player in ordered if is_exact or player.public_id in native]
    if same or not ordered:
        return _decide(same) if same else _Answer(Verdict.UNKNOWN)
    if certainties[ordered[0]] > ACCEPTED_ABOVE:
        return _Answer(Verdict.FOUND, [ordered[0].pk], is_similar=True)
    return _Answer(Verdict.SIMILAR, [player.pk for player in ordered[:MAX_CANDIDATES]])


def _describe(pks: Collection[int], rating_list: RatingList, today: dt.date) -> dict[int, ListedPlayer]:
    """Return players by primary key, as the public may see them on a list."""
    if not pks:
        return {}
    published = published_standings(rating_list, None).filter(player__in=pks).order_by()
    lines = set_deviations(list(with_deviation_states(published, rating_list)), rating_list, today)
    standings = {line.player_id: line for line in lines}
    active = set(published_standings(rating_list, today).filter(player__in=pks).values_list("player", flat=True))
    ranks = ranks_of(rating_list, today)
    outside: dict[int, list[OutsideId]] = defaultdict(list)
    shown = OutsideId.objects.filter(player__in=pks, player__shown=NameVisibility.FULL)
    for id in shown.exclude(confirmed_at=None):
        outside[id.player_id].append(id)
    return {
        player.pk: ListedPlayer(
            player,
            line := standings.get(player.pk),
            ranks.rank(line.rating) if line and player.pk in active else None,
            line.deviation if line else None,
            outside[player.pk],
        )
        for player in with_current_club(Player.objects.filter(pk__in=pks))
    }
