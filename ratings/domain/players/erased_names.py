"""Names and identifiers by which a person may be found in stored texts and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from allauth.account.models import EmailAddress
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from ratings.matching import fold
from ratings.models import EventEntry, OutsideId, Player, Submission
from ratings.models.players.people import ANONYMOUS_NAME

from .personal_texts import ErasedIdentifier, ErasedName, ErasedText

SHORTEST_ID = 5
"""Characters of the shortest id of another registry that is searched in texts; shorter ones may be any number."""

Name = tuple[str, str]
"""A family and a given name; a name in the person's own script is a family name alone."""


def collect_erased_texts(player: Player, erased_together: Sequence[Player] = ()) -> list[ErasedText]:
    """Return everything that names a person: present, former and typed names, email addresses and outside ids.

    `erased_together` are all players of this person, who may have each other's names. Former and typed names that
    another player has now are left out, because they may mean that player.
    """
    own = [(player.family_name, player.given_name), (player.native_name, "")]
    former = player.former_names.values_list("family_name", "given_name")
    others = [*former, *_logged_names(player), *_typed_names(player)]
    others = _without_names_of_others([player, *erased_together], others)
    names = list(dict.fromkeys(name for name in (*own, *others) if name[0] and name[0] != ANONYMOUS_NAME))
    texts: list[ErasedText] = [ErasedName(player.public_id, name, ANONYMOUS_NAME, player.public_id) for name in names]
    identifiers = _outside_ids(player) | _email_addresses(player)
    return texts + [ErasedIdentifier(value) for value in sorted(identifiers)]


def _logged_names(player: Player) -> Iterator[Name]:
    """Yield the earlier names in the audit trail of a player, latest first."""
    family, given = player.family_name, player.given_name
    entries = (
        LogEntry.objects.get_for_object(player).filter(action=LogEntry.Action.UPDATE).order_by("-timestamp", "-pk")
    )
    for changes in entries.values_list("changes", flat=True):
        before = {field: values[0] for field, values in (changes or {}).items() if isinstance(values, list)}
        if native := before.get("native_name"):
            yield native, ""
        if {"family_name", "given_name"} & before.keys():
            family, given = before.get("family_name", family), before.get("given_name", given)
            yield family, given


def _typed_names(player: Player) -> Iterator[Name]:
    """Yield the names that were typed for a player in results and entries."""
    yield from player.event_entries.values_list("family_name", "given_name")
    texts = Submission._default_manager.annotate(text=Cast("content", TextField()))
    for content in texts.filter(text__contains=f'"{player.public_id}"').values_list("content", flat=True).iterator():
        for row in content.get("rows", ()):
            if row.get("player") == player.public_id:
                yield row.get("family", ""), row.get("given", "")
                if native := row.get("native"):
                    yield native, ""


def _outside_ids(player: Player) -> set[str]:
    """Return the long ids of the person in other registries, also those that were deleted earlier."""
    own = set(player.outside_ids.values_list("value", flat=True))
    log = LogEntry.objects.get_for_model(OutsideId).filter(log_is_of(player))
    former = {value for changes in log.values_list("changes", flat=True) for value in changes.get("value", ()) if value}
    taken = set(OutsideId.objects.filter(value__in=former).exclude(player=player).values_list("value", flat=True))
    return {value for value in own | (former - taken) if len(value) >= SHORTEST_ID}


def log_is_of(player: Player) -> Q:
    """Return the condition of the entries of the audit trail whose row has had this player."""
    return Q(changes__player__0=str(player.pk)) | Q(changes__player__1=str(player.pk))


def _without_names_of_others(erased: Sequence[Player], names: Iterable[Name]) -> list[Name]:
    """Return the names of two letters and more that no other player has."""
    wanted = {name: fold(" ".join(name)) for name in names if len(name[0]) > 1}
    same = Q()
    for folded in wanted.values():
        same |= Q(search_name=folded) | Q(search_name__startswith=f"{folded} ")
    others = Player.objects.filter(same).exclude(pk__in=[player.pk for player in erased]) if wanted else []
    taken = {fold(player.name) for player in others}
    return [name for name, folded in wanted.items() if folded not in taken]


def _email_addresses(player: Player) -> set[str]:
    """Return the addresses of the person's entries and account, except those that belong to another person as well."""
    entries = set(player.event_entries.exclude(email="").values_list("email", flat=True))
    user = player.account
    own = set()
    if user is not None and is_account_erased(user):
        own = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {""}
    shared = Q(email__in=entries) & ~Q(pk=user.pk if user else None)
    of_others = set(User.objects.filter(shared).values_list("email", flat=True))
    of_others |= set(
        EventEntry.objects.filter(email__in=entries).exclude(player=player).values_list("email", flat=True)
    )
    return own | (entries - of_others)


def is_account_erased(user: User) -> bool:
    """Return whether erasing a person deletes their account: it has no role on this site."""
    return not (user.is_staff or user.is_superuser or user.groups.exists())
