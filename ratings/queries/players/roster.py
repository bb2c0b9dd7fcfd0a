"""Whom the names of a sheet may mean, each with what tells namesakes apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max, Prefetch
from django.utils.translation import gettext as _

from ratings import matching
from ratings.formats.entered import SheetRow
from ratings.models import NAMELESS, Membership, Player, Shown, Spelling
from ratings.systems.words import Words

from .search import name_has, parts_of


@dataclass(frozen=True)
class Candidate:
    """A player of the roster, and why he may be meant."""

    player: Player
    reason: str
    described: str


@dataclass(frozen=True)
class Match:
    """The one who is meant, or what is to be decided."""

    player: Player | None
    told: str = ""


class Roster:
    """All players by their names; what `spellings` remember is offered first. `candidates` fills row by row."""

    def __init__(self, rows: Sequence[SheetRow], spellings: Iterable[Spelling]) -> None:
        self._names = matching.Roster(known_names())
        self._remembered = {spelling.written: spelling.player_id for spelling in spellings}
        self._found = {(row.family, row.given): self._names.match(row.family, row.given) for row in rows}
        ids = {id for found in self._found.values() for id in found.players} | {row.player for row in rows}
        self._players = described_players(ids, list(self._remembered.values()))
        self._by_pk = {player.pk: player for player in self._players.values()}
        self.candidates: dict[int, list[Candidate]] = {}

    def match(self, number: int, row: SheetRow) -> Match:
        """By the choice that was made, else by the exact name if only one bears it."""
        found = self._found[row.family, row.given]
        candidates = [self._candidate(id, found, row) for id in found.players]
        remembered = self._by_pk.get(self._remembered.get(matching.fold(row.name), 0))
        if remembered is not None:
            chosen = Candidate(remembered, _("you chose this before"), describe(remembered))
            candidates = [chosen, *(c for c in candidates if c.player != remembered)]
        if row.player and (player := self._players.get(row.player)):
            if player not in [candidate.player for candidate in candidates]:
                candidates.insert(0, Candidate(player, _("chosen"), describe(player)))
            self.candidates[number] = candidates
            return Match(player)
        self.candidates[number] = candidates
        if found.verdict == "exact":
            return Match(self._players[found.players[0]])
        if not row.name:
            return Match(None, Words("the name is missing"))
        if found.verdict == "several":
            return Match(None, Words("{name} may be several players: choose one", name=row.name))
        if candidates:
            return Match(None, Words("{name} is unknown: choose who is meant, or “new player”", name=row.name))
        return Match(None, Words("{name} is unknown: correct the name, or choose “new player”", name=row.name))

    def near(self, number: int, row: SheetRow) -> str:
        """Known players whom somebody new resembles."""
        found = self._found[row.family, row.given]
        self.candidates[number] = [self._candidate(id, found, row) for id in found.players]
        return ", ".join(candidate.described for candidate in self.candidates[number])

    def _candidate(self, id: str, found: matching.Match, row: SheetRow) -> Candidate:
        player = self._players[id]
        return Candidate(player, reason_of(found.verdict, player, row), describe(player))


def reason_of(verdict: str, player: Player, row: SheetRow) -> str:
    """Why a player may be meant, in words."""
    if verdict in ("exact", "several"):
        same = (player.family_name, player.given_name) == (row.family, row.given)
        return _("the same name") if same else _("the same but for case or accents")
    swapped = (matching.fold(player.family_name), matching.fold(player.given_name)) == (
        matching.fold(row.given),
        matching.fold(row.family),
    )
    reasons = [_("first and last name swapped") if swapped else _("a similar name")]
    if row.country and row.country.upper() == str(player.country):
        reasons.append(_("same country"))
    return ", ".join(reasons)


def known_names() -> dict[str, list[tuple[str, str]]]:
    """All names by public id; those of merged players are names of whom they were merged into. Who is not shown in
    full is known by the name that our files have for the nameless, too.
    """
    names: dict[str, list[tuple[str, str]]] = defaultdict(list)
    fields = ("public_id", "merged_into__public_id", "family_name", "given_name", "shown")
    for id, kept, family, given, shown in Player.objects.values_list(*fields):
        names[kept or id].append((family, given))
        if shown != Shown.FULL:
            names[kept or id].append((NAMELESS, id))
    return names


OFFERED = 10


def players_named(text: str) -> list[Player]:
    """The first players whose names have every part of a text in them, in any order, accents and case aside."""
    players = Player.objects.filter(name_has(parts_of(text)), merged_into=None)
    ids = list(players.order_by("family_name", "given_name").values_list("public_id", flat=True)[:OFFERED])
    known = described_players(ids)
    return [known[id] for id in ids]


def described_players(ids: Iterable[str], pks: Sequence[int] = ()) -> dict[str, Player]:
    """Players by public id with their present club and the day of their last event."""
    present = Prefetch("memberships", Membership.objects.filter(end=None).select_related("club"), to_attr="present")
    several = Player.objects.filter(public_id__in=ids) | Player.objects.filter(pk__in=pks)
    last = several.annotate(last_event=Max("entries__table__last_day")).prefetch_related(present)
    return {player.public_id: player.merged_into or player for player in last.select_related("merged_into")}


def describe(player: Player) -> str:
    """What tells a namesake apart: country, club, birth year, last event."""
    clubs = [membership.club.name for membership in getattr(player, "present", [])]
    last = getattr(player, "last_event", None)
    parts = [
        str(player.country),
        *clubs,
        str(player.year_of_birth or ""),
        _("last event %(day)s") % {"day": last} if last else _("no event yet"),
    ]
    return f"{player.name} ({', '.join(part for part in parts if part)})"
