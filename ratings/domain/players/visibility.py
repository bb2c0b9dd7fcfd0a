"""Visibility of players' names, birth years and genders to the public. No rating depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.domain.lists.list_permissions import check_officer
from ratings.domain.site.acting import acting_user
from ratings.domain.site.following import drop_followers
from ratings.domain.site.page_purging import purge_cached_pages
from ratings.domain.site.recording import lock_step, record_step, record_undo
from ratings.models import Merge, NameVisibility, Player, RecordedStep

from .player_messages import queue_hiding_messages

ERASED = gettext_lazy("This person's data was erased, so no name can be shown.")
CHANGED = RecordedStep.What.VISIBILITY_CHANGED
DETAILS = {
    "birth_public": gettext_lazy(
        "The player chose not to show their birth year. Only they can undo this, on their own page."
    ),
    "gender_public": gettext_lazy(
        "The player chose not to show their gender. Only they can undo this, on their own page."
    ),
}
"""Fields that say whether a detail is public, and why other persons cannot undo the player's choice to hide it."""
FIELDS = ("shown", *DETAILS)


@transaction.atomic
def set_visibility(
    player: Player,
    shown: str,
    *,
    birth_public: bool | None = None,
    gender_public: bool | None = None,
    reason: str = "",
) -> None:
    """Display a player to the public by full name, by initials or anonymously; display birth year and gender or not.

    `birth_public` or `gender_public` None: it stays as it is. The change is recorded with the acting user.
    ValidationError: `shown` is invalid, or the person was erased.
    """
    if shown not in NameVisibility.values:
        raise ValidationError(_("Choose how the name is shown."))
    before = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if before.erased_at is not None:
        raise ValidationError(ERASED)
    apply_visibility(player, shown)
    player.shown = shown
    player.birth_public = before.birth_public if birth_public is None else birth_public
    player.gender_public = before.gender_public if gender_public is None else gender_public
    Player.objects.filter(pk=player.pk).update(birth_public=player.birth_public, gender_public=player.gender_public)
    record_visibility(before, player, reason=reason)


def record_visibility(before: Player, after: Player, *, merge: Merge | None = None, reason: str = "") -> None:
    """Record a change of a player's visibility, if there is one; `merge` is the merge that caused it."""
    values: dict[str, Any] = {
        name: [getattr(before, name), getattr(after, name)]
        for name in FIELDS
        if getattr(before, name) != getattr(after, name)
    }
    if not values:
        return
    user = acting_user()
    values["own"] = user is not None and merge is None and before.account_id == user.pk
    if merge is not None:
        values["merge"] = merge.pk
    record_step(CHANGED, values, player=after, reason=reason)
    if merge is None and shows_less(after.shown, before.shown):  # a merge moves data, and queues its own messages
        note_hiding(list_with_merged(after), after.shown)


def note_hiding(players: list[Player], shown: str, moved_to: Player | None = None) -> None:
    """Queue messages that players are shown less than before; nobody follows anonymous players any longer.

    `moved_to` is the player who has their data now, after a merge.
    """
    queue_hiding_messages(players, shown, moved_to=moved_to)
    if shown == NameVisibility.ANONYMOUS:
        drop_followers(players)


@transaction.atomic
def undo_visibility(step: RecordedStep, *, reason: str = "") -> None:
    """Undo a change of a player's visibility.

    ValidationError: it was changed again later, or the player chose to be hidden and another person asks.
    PermissionDenied: the acting user is neither an officer nor the player.
    """
    player = Player.objects.select_for_update(no_key=True).get(recorded_steps=step)
    step = lock_step(step, CHANGED)
    if not _is_own(player, acting_user()):
        check_officer()
    if refusal := visibility_undo_problem(step, player):
        raise ValidationError(refusal)
    if "shown" in step.values:
        shown = step.values["shown"][0]
        apply_visibility(player, shown)
        if shows_less(shown, player.shown):
            note_hiding(list_with_merged(player), shown)
    if details := {name: step.values[name][0] for name in DETAILS if name in step.values}:
        Player.objects.filter(pk=player.pk).update(**details)
        purge_cached_pages()
    record_undo(step, reason)


def visibility_undo_problem(step: RecordedStep, player: Player) -> str:
    """Return why the acting user cannot undo a change of visibility now; empty if they can."""
    return next(_refusals(step, player), "")


def _refusals(step: RecordedStep, player: Player) -> Iterator[str]:
    if player.erased_at is not None:
        yield str(ERASED)
    if player.merged_into_id is not None:
        yield _("This player was merged into another; undo that merge first.")
    if player.recorded_steps.filter(what=CHANGED, undone_at=None, pk__gt=step.pk).exists():
        yield _("It was changed again later: undo the later change first.")
    present = {name: getattr(player, name) for name in FIELDS}
    if any(present[name] != step.values[name][1] for name in present if name in step.values):
        yield _("The player is no longer shown like that.")
    if "merge" in step.values and Merge.objects.filter(pk=step.values["merge"], undone_at=None).exists():
        yield _("The stricter visibility setting applies to merged players: undo the merge first.")
    if _is_own(player, acting_user()):
        return
    own_choices = list(_own_choices(player))
    hidden = max((_level(choice["shown"][1]) for choice in own_choices if "shown" in choice), default=0)
    if "shown" in step.values and _level(step.values["shown"][0]) < min(hidden, _level(present["shown"])):
        yield _("The player chose to be hidden. Only they can undo this, on their own page.")
    for name, refusal in DETAILS.items():
        chose_to_hide = any(not choice[name][1] for choice in own_choices if name in choice)
        if chose_to_hide and step.values.get(name, [False])[0]:
            yield str(refusal)


def _is_own(player: Player, user: User | None) -> bool:
    return user is not None and player.account_id == user.pk


def _own_choices(player: Player) -> Iterable[dict[str, Any]]:
    """Yield the latest choice of each kind that a player, and players merged into them, made on their own page."""
    for each in list_with_merged(player):
        own = each.recorded_steps.filter(what=CHANGED, undone_at=None, values__own=True).order_by("-pk")
        chosen = [step.values for step in own]
        for name in FIELDS:
            latest = next((values for values in chosen if name in values), None)
            if latest is not None:
                yield {name: latest[name]}


def apply_visibility(player: Player, shown: str) -> None:
    """Set how a player, and all players merged into them, are displayed; old lists still display merged players."""
    purge_cached_pages()
    Player.objects.filter(pk__in=[each.pk for each in list_with_merged(player)]).update(shown=shown)


def list_with_merged(player: Player, *, lock: bool = False) -> list[Player]:
    """Return a player and all players merged into them, directly or indirectly; `lock` locks the merged ones."""
    rows = Player.objects.select_for_update() if lock else Player.objects.all()
    players, level = [player], [player]
    while level:
        level = list(rows.filter(merged_into__in=level).order_by("pk"))
        players += level
    return players


def most_hidden(*players: Player) -> str:
    """Return the visibility of the most hidden of some players."""
    return max((player.shown for player in players), key=_level)


def shows_less(shown: str, before: str) -> bool:
    """Return True if a visibility shows less of a name than another one."""
    return _level(shown) > _level(before)


def _level(shown: str) -> int:
    return NameVisibility.values.index(shown)
