"""Suggestions of players while a name is typed."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Case, Exists, F, Max, OuterRef, Q, Value, When

from ratings.models import Player, RatingList, Standing
from ratings.queries.players.player_details import players_with_details
from ratings.queries.site.search import name_filter, parts_of

MAX_PLAYERS = 10


def suggest_players(text: str, lists: Sequence[RatingList] = (), country: str = "") -> list[Player]:
    """Return the first players whose name contains every part of a text, in any order, ignoring accents and case.

    A part can be an initial, or in the player's own script. Players come first whose family name begins with a part,
    then those on one of the lists, then those of the country, then those who played last.
    """
    parts = parts_of(text)
    on_list = Exists(Standing.objects.filter(player=OuterRef("pk"), list__in=lists))
    named = Player.objects.filter(name_filter(parts), merged_into=None)
    ranked = named.alias(
        prefix=_rank_prefix(parts),
        other_list=Case(When(on_list, then=Value(0)), default=Value(1)) if lists else Value(0),
        other_country=Case(When(country=country.upper(), then=Value(0)), default=Value(1)),
        last_played=Max("entries__table__last_day"),
    ).order_by("prefix", "other_list", "other_country", F("last_played").desc(nulls_last=True), "search_name", "pk")
    ids = list(ranked.values_list("public_id", flat=True)[:MAX_PLAYERS])
    players = players_with_details(ids)
    return [players[id] for id in ids]


def find_or_suggest(text: str, lists: Sequence[RatingList] = (), country: str = "") -> list[Player]:
    """Return the player with this public id, else the players whom `suggest_players` suggests."""
    by_id = [player for player in players_with_details([text.strip().upper()]).values() if player.erased_at is None]
    return by_id or suggest_players(text, lists, country)


def _rank_prefix(parts: Sequence[str]) -> Case:
    """Return 0 if the family name is one of the parts, 1 if it begins with one, else 2."""
    whole, start = Q(pk__in=[]), Q(pk__in=[])
    for part in parts:
        whole |= Q(search_name__startswith=f"{part} ") | Q(search_name=part)
        start |= Q(search_name__startswith=part)
    return Case(When(whole, then=Value(0)), When(start, then=Value(1)), default=Value(2))
