"""Matching of the names on a results submission to known players, with details to tell namesakes apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.postgres.lookups import TrigramWordSimilar
from django.db import connection
from django.db.models import F, Max, Prefetch, Q, Value
from django.utils.translation import gettext as _

from ratings import matching
from ratings.batches import in_batches
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import SheetRow
from ratings.matching import fold
from ratings.models import ANONYMOUS_NAME, Membership, NameVisibility, Player, Spelling
from ratings.queries.players.names import spellings
from ratings.queries.site.search import name_filter, parts_of


@dataclass(frozen=True)
class Candidate:
    """A known player, with the reason why the name may mean this player, and a description."""

    player: Player
    reason: str
    description: str


@dataclass(frozen=True)
class PlayerMatch:
    """The player whom a name means, or the problem to solve first."""

    player: Player | None
    problem: str = ""
    is_ambiguous: bool = False
    """True if several known players have exactly this name."""


class Roster:
    """The players whom the names of some rows may mean.

    Players whom the user chose before for a name (`spellings`) are offered first. `candidates` is filled by `match` and
    `describe_similar_players`, by row number.
    """

    def __init__(self, rows: Sequence[SheetRow], spellings: Iterable[Spelling]) -> None:
        self._names = matching.NameIndex(find_names((row.family, row.given) for row in rows))
        self._chosen_before = {spelling.written: spelling.player_id for spelling in spellings}
        self._matches = {(row.family, row.given): self._names.match(row.family, row.given) for row in rows}
        ids = {id for match in self._matches.values() for id in match.players} | {row.player for row in rows}
        self._players = players_with_details(ids, list(self._chosen_before.values()))
        self._by_pk = {player.pk: player for player in self._players.values()}
        self.candidates: dict[int, list[Candidate]] = {}

    def match(self, number: int, row: SheetRow) -> PlayerMatch:
        """Return the player chosen in the row, else the only player with exactly this name, else the problem."""
        match = self._matches[row.family, row.given]
        candidates = [self._make_candidate(id, match, row) for id in match.players]
        previous = self._by_pk.get(self._chosen_before.get(fold(row.name), 0))
        if previous is not None:
            first = Candidate(previous, _("you chose this before"), describe(previous))
            candidates = [first, *(c for c in candidates if c.player != previous)]
        if row.player and (player := self._players.get(row.player)):
            if player not in [candidate.player for candidate in candidates]:
                candidates.insert(0, Candidate(player, _("chosen"), describe(player)))
            self.candidates[number] = candidates
            return PlayerMatch(player)
        self.candidates[number] = candidates
        if match.verdict == "exact":
            return PlayerMatch(self._players[match.players[0]])
        if not row.name:
            return PlayerMatch(None, SubmissionProblem.NAME_MISSING())
        if match.verdict == "several":
            return PlayerMatch(None, SubmissionProblem.NAME_AMBIGUOUS(name=row.name), is_ambiguous=True)
        if candidates:
            return PlayerMatch(None, SubmissionProblem.NAME_UNKNOWN(name=row.name))
        return PlayerMatch(None, SubmissionProblem.NAME_UNKNOWN_TYPED(name=row.name))

    def describe_similar_players(self, number: int, row: SheetRow) -> str:
        """Return descriptions of the known players with a name similar to that of a new player."""
        match = self._matches[row.family, row.given]
        self.candidates[number] = [self._make_candidate(id, match, row) for id in match.players]
        return ", ".join(candidate.description for candidate in self.candidates[number])

    def _make_candidate(self, id: str, match: matching.NameMatch, row: SheetRow) -> Candidate:
        player = self._players[id]
        return Candidate(player, describe_reason(match.verdict, player, row), describe(player))


def describe_reason(verdict: str, player: Player, row: SheetRow) -> str:
    """Return the reason why a row may mean a player, as translated text."""
    if verdict in ("exact", "several"):
        identical = (player.family_name, player.given_name) == (row.family, row.given)
        return _("the same name") if identical else _("the same but for case or accents")
    swapped = (fold(player.family_name), fold(player.given_name)) == (
        fold(row.given),
        fold(row.family),
    )
    reasons = [_("first and last name swapped") if swapped else _("a similar name")]
    if row.country and row.country.upper() == str(player.country):
        reasons.append(_("same country"))
    return ", ".join(reasons)


Names = dict[str, list[tuple[str, str]]]
"""Family and given names by public id."""


def known_names() -> Names:
    """Return all names by public id.

    The names of a merged player belong to the player they were merged into. Players whose name is not displayed in full
    are also known by the name that exported files have for anonymous players.
    """
    return _read_names([Q()])


def find_names(written: Iterable[tuple[str, str]]) -> Names:
    """Return the known names that written (family, given) names may mean, by public id, as `known_names` does.

    Names that no player has exactly are compared with similar ones. PostgreSQL selects these by common groups of three
    letters, but not the names of anonymous players in files; other databases read all names.
    """
    keys = {(fold(family), fold(given)) for family, given in written if family or given}
    names = _read_names(map(_have_name, in_batches(sorted(keys), NAMES_IN_QUERY)))
    unknown = keys - {(fold(family), fold(given)) for several in names.values() for family, given in several}
    if unknown and connection.vendor != "postgresql":
        return known_names()
    for id, several in _read_names(map(_resemble, in_batches(sorted(unknown), NAMES_IN_QUERY))).items():
        names.setdefault(id, []).extend(several)
    return names


Key = tuple[str, str]
"""Folded family and given name."""
NAMES_IN_QUERY = 100
"""Names that one query looks for; each is two conditions, and SQLite allows a thousand."""


def _have_name(keys: Iterable[Key]) -> Q:
    """Return a filter for players whose `search_name` begins with one of the names, or with such an id."""
    condition = Q()
    ids: list[str] = []
    for key in keys:
        name = " ".join(key).strip()
        condition |= Q(search_name=name) | Q(search_name__startswith=f"{name} ")
        if key[0] == fold(ANONYMOUS_NAME):
            ids.extend(spellings(key[1]))
    return condition | Q(public_id__in=ids) if ids else condition


def _resemble(keys: Iterable[Key]) -> Q:
    """Return a filter for players part of whose name has common groups of three letters with one of the names.

    A part, because `search_name` ends with the name in the player's own script, which nobody writes here.
    """
    condition = Q()
    for key in keys:
        condition |= Q(TrigramWordSimilar(F("search_name"), Value(" ".join(key).strip())))
    return condition


def _read_names(conditions: Iterable[Q]) -> Names:
    names: Names = {}
    fields = ("public_id", "merged_into__public_id", "family_name", "given_name", "shown")
    for condition in conditions:
        for id, merged_into, family, given, shown in Player.objects.filter(condition).values_list(*fields):
            several = names.setdefault(merged_into or id, [])
            several.append((family, given))
            if shown != NameVisibility.FULL:
                several.append((ANONYMOUS_NAME, id))
    return names


MAX_PLAYERS = 10


def search_players_by_name(text: str) -> list[Player]:
    """Return the first players whose name contains every part of a text, in any order, ignoring accents and case."""
    named = Player.objects.filter(name_filter(parts_of(text)), merged_into=None)
    ids = list(named.order_by("family_name", "given_name").values_list("public_id", flat=True)[:MAX_PLAYERS])
    players = players_with_details(ids)
    return [players[id] for id in ids]


def players_with_details(ids: Iterable[str], pks: Sequence[int] = ()) -> dict[str, Player]:
    """Return players by public id, with the data that `describe` needs: current club and day of the last event.

    A merged player is replaced by the player they were merged into.
    """
    present = Prefetch("memberships", Membership.objects.filter(end=None).select_related("club"), to_attr="present")
    selected = Player.objects.filter(public_id__in=ids) | Player.objects.filter(pk__in=pks)
    players = selected.annotate(last_event=Max("entries__table__last_day")).prefetch_related(present)
    return {player.public_id: player.merged_into or player for player in players.select_related("merged_into")}


def describe(player: Player) -> str:
    """Return a player's name with the details that tell namesakes apart: country, club, birth year, last event."""
    clubs = [membership.club.name for membership in getattr(player, "present", [])]
    last = getattr(player, "last_event", None)
    parts = [
        str(player.country),
        *clubs,
        str(player.year_of_birth or ""),
        _("last event %(day)s") % {"day": last} if last else _("no event yet"),
    ]
    return f"{player.name} ({', '.join(part for part in parts if part)})"
