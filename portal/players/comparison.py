"""Players to compare, from an address such as /compare/?list=fesa&player=ABC&player=DEF&add=name.

The address can name several lists: a player then has a curve for each list that they are on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import Http404, HttpRequest

from portal.templatetags.portal_format import comma_name
from ratings.models import Player, RatingList, Standing
from ratings.queries.lists.lists import public_lists, standings_with_last_rating
from ratings.queries.players.careers import Career
from ratings.queries.players.games import find_players
from ratings.queries.players.names import spellings

MAX_CURVES = 5
MAX_IDS = 20  # public ids read from an address


@dataclass(frozen=True)
class PlayerComparison:
    """Players to compare on some lists, in the order of the address.

    `requested_players`: all requested players; `absent`: those on none of the lists; `other_lists`: further lists with
    some of the players; `text`: the value of `add`; `suggestions`: players that it may mean, if more than one;
    `unknown_ids`: public ids of no player; `omitted_count`: number of curves left out.
    """

    lists: list[RatingList]
    standings: list[Standing]
    careers: list[Career]
    requested_players: list[Player]
    absent: list[Player]
    other_lists: list[RatingList]
    text: str = ""
    suggestions: list[Player] = field(default_factory=list)
    added: bool = False
    unknown_ids: list[str] = field(default_factory=list)
    omitted_count: int = 0

    @property
    def rating_list(self) -> RatingList | None:
        return self.lists[0] if self.lists else None

    @property
    def slugs(self) -> list[str]:
        return [rating_list.slug for rating_list in self.lists]

    @property
    def players(self) -> list[Player]:
        return list(dict.fromkeys(career.player for career in self.careers))

    @property
    def ids(self) -> list[str]:
        return [player.public_id for player in self.requested_players]

    @property
    def names(self) -> list[str]:
        """Names of the curves: the players, the lists of a single player, or both."""
        if len(self.lists) == 1:
            return [comma_name(career.player) for career in self.careers]
        if len(self.players) == 1:
            return [career.rating_list.name for career in self.careers]
        return [f"{comma_name(career.player)} ({career.rating_list.name})" for career in self.careers]

    @property
    def unknown(self) -> bool:
        """True if no player matches the name or public id to add."""
        return bool(self.text) and not self.suggestions and not self.added

    @property
    def full(self) -> bool:
        return len(self.careers) >= MAX_CURVES


def get_comparison(request: HttpRequest) -> PlayerComparison:
    """Return the comparison that a request asks for; raise Http404 for an unknown or non-public list."""
    public = {rating_list.slug: rating_list for rating_list in public_lists()}
    slugs = list(dict.fromkeys(slug for slug in request.GET.getlist("list") if slug)) or list(public)[:1]
    if not set(slugs) <= set(public):
        raise Http404
    lists = [public[slug] for slug in slugs]
    text = request.GET.get("add", "").strip()
    matches = find_players(text) if text else []
    ids = request.GET.getlist("player") + [player.public_id for player in matches if len(matches) == 1]
    players, strangers = _read_players(ids[:MAX_IDS])
    standings = _read_standings(players, list(public.values()))
    compared = [
        standings[player, rating_list]
        for player in players
        for rating_list in lists
        if (player, rating_list) in standings
    ]
    omitted, compared = compared[MAX_CURVES:], compared[:MAX_CURVES]
    return PlayerComparison(
        lists,
        compared,
        [Career(standing.player, standing.list) for standing in compared],
        players,
        [player for player in players if not any((player, rating_list) in standings for rating_list in lists)],
        [
            rating_list
            for rating_list in public.values()
            if rating_list not in lists and any((player, rating_list) in standings for player in players)
        ],
        text,
        matches if len(matches) > 1 else [],
        added=len(matches) == 1,
        unknown_ids=strangers,
        omitted_count=len(omitted),
    )


def _read_players(ids: list[str]) -> tuple[list[Player], list[str]]:
    """Return the players with these public ids, merged ones replaced by the remaining player, and the unknown ids."""
    wanted = set().union(*map(spellings, ids))
    matches = Player.objects.filter(public_id__in=wanted).select_related("merged_into")
    known = {player.public_id.casefold(): player.merged_into or player for player in matches}
    players = [known[id.casefold()] for id in ids if id.casefold() in known]
    return list(dict.fromkeys(players)), [id for id in dict.fromkeys(ids) if id.casefold() not in known]


def _read_standings(players: list[Player], lists: list[RatingList]) -> dict[tuple[Player, RatingList], Standing]:
    standings = Standing.objects.filter(list__in=lists, player__in=players).select_related("list", "player")
    return {(standing.player, standing.list): standing for standing in standings_with_last_rating(standings)}
