"""Players of the demo whom the public sees otherwise than by their full name, or not at all."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from ratings.domain.lists.adjustments import save_list_player
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.visibility import set_visibility
from ratings.domain.site.acting import act_as
from ratings.models import ListPlayer, NameVisibility, Player, RatingList, RecordedStep

from .times import backdate

SHOWN = (NameVisibility.ANONYMOUS, NameVisibility.INITIALS, NameVisibility.INITIALS, NameVisibility.ANONYMOUS)
"""How some players of each list are shown."""
AGO = dt.timedelta(days=70)
"""How long ago the players asked for it."""


def hide_players(officer: User, administrator: User, today: dt.date) -> None:
    """Hide some players of each list: anonymous, by initials, with a withdrawn rating, and one of them erased."""
    day = today - AGO
    for number, rating_list in enumerate(RatingList.objects.filter(comparison_to=None).order_by("pk")):
        withdrawn, erased, *others = _choose(rating_list, len(SHOWN) + 2)
        with act_as(officer):
            _withdraw(rating_list, withdrawn)
            for player, shown in zip(others, SHOWN, strict=False):
                set_visibility(player, shown, birth_public=False, reason="asked by mail")
        if number == 0:
            with act_as(administrator):
                erase_person(erased, reason=f"letter of {day}")
            backdate(Player.objects.filter(pk=erased.pk), day, "erased_at")
    hidden = (RecordedStep.What.VISIBILITY_CHANGED, RecordedStep.What.PERSON_ERASED)
    backdate(RecordedStep.objects.filter(what__in=hidden), day, "at")


def _choose(rating_list: RatingList, count: int) -> list[Player]:
    """Return players in the middle of a list who did not play in its first year; fewer conditions if they are too few.

    The few players with a name in another script stay visible. A small list may have no published ratings yet.
    """
    first = rating_list.rated_tables.order_by("day").values_list("day", flat=True)[0]
    early = rating_list.changes.filter(day__lt=first + dt.timedelta(days=365)).values("player")
    full = rating_list.standings.filter(player__shown=NameVisibility.FULL, player__native_name="")
    ordered = full.select_related("player").order_by("-rating", "player")
    published = ordered.filter(published=True)
    groups = (published.exclude(player__in=early), published, ordered)
    players = [standing.player for standing in next((group for group in groups if len(group) >= count), ordered)]
    middle = max(0, (len(players) - count) // 2)
    return players[middle : middle + count]


def _withdraw(rating_list: RatingList, player: Player) -> None:
    """Withdraw a player's rating from a list."""
    known = ListPlayer.objects.filter(list=rating_list, player=player).first()
    row = known or ListPlayer(list=rating_list, player=player)
    row.withdrawn = True
    save_list_player(row)
