"""What people lay down beside results: adjustments, decisions, and what a list knows of a player.

Each change marks the lists it touches from its day on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from ratings.models import Adjustment, Decision, ListPlayer, Player, RatingList, Table
from ratings.queries.states import latest_changes
from ratings.systems.texts import state_of
from ratings.systems.words import Words as _
from ratings.translating import translated

from .marking import mark_out_of_date, mark_player
from .visibility import show_as


def day_of(given: Adjustment | Decision) -> dt.date:
    """The day on which it acts: its own, or that of the table it stands before."""
    return given.before.last_day if given.before else given.date


@transaction.atomic
def lay_down(given: Adjustment | Decision) -> None:
    """Store a new or changed adjustment or decision; ValidationError says what its list's system refuses."""
    given.full_clean()
    check_state(given)
    if given.pk is not None:
        _mark(type(given).objects.get(pk=given.pk))
    given.save()
    _mark(given)


@transaction.atomic
def lay_down_all(several: Sequence[Adjustment], *, reason: str) -> None:
    """The same for many new adjustments of one list and day, which is marked once; `reason` is that of the run."""
    for given in several:
        given.full_clean()
        check_state(given)
    Adjustment.objects.bulk_create(several, 500)
    if several:
        mark_out_of_date([several[0].list], min(map(day_of, several)), reason)


def _mark(given: Adjustment | Decision, *, taken_back: bool = False) -> None:
    """Tables whose own rating a decision may speak of are rated again."""
    day = day_of(given)
    spoken_of = Q(pk=given.before_id) if given.before_id else Q(last_day=day)
    tables = Table.objects.filter(spoken_of, event__lists=given.list) if isinstance(given, Decision) else ()
    mark_out_of_date([given.list], day, _reason(given, taken_back=taken_back), tables=tables)


def _reason(given: Adjustment | Decision, *, taken_back: bool) -> str:
    """Reasons are public, names may not be."""
    whom = _("player {player}", player=given.player.public_id) if given.player else _("the list")
    told = {"date": given.date, "whom": whom}
    if isinstance(given, Decision):
        if taken_back:
            return _("decision of {date} for {whom} taken back", **told)
        return _("decision of {date} for {whom} laid down or changed", **told)
    if taken_back:
        return _("adjustment of {date} for {whom} taken back", **told)
    return _("adjustment of {date} for {whom} laid down or changed", **told)


def check_state(given: Adjustment | Decision) -> None:
    """Whether an adjustment goes together with the state the player has by then."""
    if not isinstance(given, Adjustment) or given.player is None or given.set is None:
        return
    system = given.list.rating_system
    stored = latest_changes(given.list, Q(day__lt=day_of(given)), [given.player.pk]).values_list("state", flat=True)
    state = state_of(system, stored[0]) if stored else system.newcomer()
    try:
        system.adjust(state, given.set)
    except ValueError as error:
        raise ValidationError({"set": translated(str(error))}) from None


@transaction.atomic
def save_list_player(row: ListPlayer) -> None:
    """Store what a list knows of a player, and rate again from his first table on."""
    row.full_clean()
    if row.pk is not None:
        old = ListPlayer.objects.get(pk=row.pk)
        mark_player(old.list, old.player)
    row.save()
    mark_player(row.list, row.player)


@transaction.atomic
def delete_list_player(row: ListPlayer) -> None:
    mark_player(row.list, row.player)
    row.delete()


@transaction.atomic
def save_list(rating_list: RatingList) -> None:
    """Store a list; another system, other options or another list to compare with make it all anew."""
    rating_list.full_clean()
    old = RatingList.objects.filter(pk=rating_list.pk).first()
    rating_list.save()
    before = (old.system, old.options, old.comparison_to_id) if old else (rating_list.system, rating_list.options, None)
    if before != (rating_list.system, rating_list.options, rating_list.comparison_to_id):
        mark_out_of_date([rating_list], dt.date.min, _("the list's system or options were changed"), tables=None)


@transaction.atomic
def rate_from_the_beginning(rating_list: RatingList) -> None:
    """Have everything of a list rated again, whether anything has changed or not."""
    mark_out_of_date([rating_list], dt.date.min, _("rated again from the beginning, as asked"), tables=None)


@transaction.atomic
def save_player(player: Player) -> None:
    """Store a player; another birth date is another input of the lists he stands on."""
    player.full_clean()
    old = Player.objects.filter(pk=player.pk).first()
    player.save()
    if old and old.shown != player.shown:
        show_as(player, player.shown)
    if old and (old.birth_date, old.birth_year) != (player.birth_date, player.birth_year):
        for rating_list in RatingList.objects.filter(standings__player=player):
            mark_player(rating_list, player)


@transaction.atomic
def take_back(given: Adjustment | Decision) -> None:
    _mark(given, taken_back=True)
    given.delete()
