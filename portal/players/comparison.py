"""Who is compared with whom, by an address such as /compare/?list=fesa&player=ABC&player=DEF&add=name.

Several lists may be named, too: then a player has a curve for each on which he stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import Http404, HttpRequest

from ratings.models import Player, RatingList, Standing
from ratings.queries.careers import Career
from ratings.queries.games import players_meant
from ratings.queries.lists import public_lists, told_standings
from ratings.queries.names import spellings

MOST = 5
READ = 20  # of the public ids of an address


@dataclass(frozen=True)
class Comparing:
    """Players on some lists, in the order of the address; all who were asked for, those who stand on none of the
    lists, the other lists on which some of them stand, those whom `add` may mean, the public ids that are
    nobody's, and how many curves are not shown.
    """

    lists: list[RatingList]
    standings: list[Standing]
    careers: list[Career]
    asked: list[Player]
    absent: list[Player]
    others: list[RatingList]
    text: str = ""
    offered: list[Player] = field(default_factory=list)
    added: bool = False
    strangers: list[str] = field(default_factory=list)
    cut: int = 0

    @property
    def rating_list(self) -> RatingList | None:
        return self.lists[0] if self.lists else None

    @property
    def slugs(self) -> list[str]:
        return [one.slug for one in self.lists]

    @property
    def players(self) -> list[Player]:
        return list(dict.fromkeys(career.player for career in self.careers))

    @property
    def ids(self) -> list[str]:
        return [player.public_id for player in self.asked]

    @property
    def names(self) -> list[str]:
        """Of the curves."""
        if len(self.lists) == 1:
            return [str(career.player) for career in self.careers]
        return [f"{career.player} ({career.rating_list.name})" for career in self.careers]

    @property
    def unknown(self) -> bool:
        """Whether nobody is called as was asked."""
        return bool(self.text) and not self.offered and not self.added

    @property
    def full(self) -> bool:
        return len(self.careers) >= MOST


def comparing(request: HttpRequest) -> Comparing:
    """Http404 for a list that is not there."""
    public = {one.slug: one for one in public_lists()}
    slugs = list(dict.fromkeys(slug for slug in request.GET.getlist("list") if slug)) or list(public)[:1]
    if not set(slugs) <= set(public):
        raise Http404
    lists = [public[slug] for slug in slugs]
    text = request.GET.get("add", "").strip()
    named = players_meant(text) if text else []
    ids = request.GET.getlist("player") + [player.public_id for player in named if len(named) == 1]
    players, strangers = _named(ids[:READ])
    standings = _standings(players, list(public.values()))
    found = [standings[player, one] for player in players for one in lists if (player, one) in standings]
    cut, found = found[MOST:], found[:MOST]
    return Comparing(
        lists,
        found,
        [Career(one.player, one.list) for one in found],
        players,
        [player for player in players if not any((player, one) in standings for one in lists)],
        [one for one in public.values() if one not in lists and any((player, one) in standings for player in players)],
        text,
        named if len(named) > 1 else [],
        added=len(named) == 1,
        strangers=strangers,
        cut=len(cut),
    )


def _named(ids: list[str]) -> tuple[list[Player], list[str]]:
    """The players with these public ids, for a merged one who was kept, and the ids that are nobody's."""
    wanted = set().union(*map(spellings, ids))
    several = Player.objects.filter(public_id__in=wanted).select_related("merged_into")
    known = {player.public_id.casefold(): player.merged_into or player for player in several}
    players = [known[id.casefold()] for id in ids if id.casefold() in known]
    return list(dict.fromkeys(players)), [id for id in dict.fromkeys(ids) if id.casefold() not in known]


def _standings(players: list[Player], lists: list[RatingList]) -> dict[tuple[Player, RatingList], Standing]:
    several = Standing.objects.filter(list__in=lists, player__in=players).select_related("list", "player")
    return {(one.player, one.list): one for one in told_standings(several)}
