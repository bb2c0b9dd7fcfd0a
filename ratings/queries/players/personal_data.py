"""Personal data for download: everything that the portal stores about a person.

Texts and private data of other people are left out: opponents have their public names, and lines of the audit trail
only say what kind of data was changed.
"""

from __future__ import annotations

import datetime as dt
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django_countries.fields import Country

from ratings.localize import format_day, format_moment, format_number, join_parts, translate_message
from ratings.models import Game, OutgoingMail, Player
from ratings.systems.values import invert_score

from .personal_data_fields import (
    LABELS,
    LOGGED_WITH_PLAYER,
    OF_ACCOUNT,
    OF_PLAYER,
    PLAYER_FIELDS,
    USER_FIELDS,
    Source,
)


@dataclass(frozen=True)
class Cell:
    """One value: its key and label, the value for JSON, and its text in the reader's language.

    A file has its content, encoded in base64; its text is the name.
    """

    key: str
    label: str
    value: Any
    text: str
    content: str = ""


@dataclass(frozen=True)
class Section:
    """A kind of data: its key, title, and the values of each row."""

    key: str
    title: str
    rows: list[list[Cell]]


def read_personal_data(user: User) -> list[Section]:
    """Return what is stored about a user and their player by kind; empty kinds are left out.

    The data of players who were merged into theirs are included.
    """
    players = Player.objects.filter(Q(account=user) | Q(merged_into__account=user))
    sections = [*_read_account(user), *_read_player(players), *_read_logs(user, players)]
    return [section for section in sections if section.rows]


def _read_account(user: User) -> Iterator[Section]:
    names = list(user.groups.values_list("name", flat=True))
    groups = Cell("groups", _("Roles"), names, join_parts(names))
    yield Section("account", _("Account"), [[*_make_cells(user, USER_FIELDS), groups]])
    for source in OF_ACCOUNT:
        yield _read_source(source, source.model._default_manager.filter(**{source.owner: user}))
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    wanted = Q(recipients__icontains=user.email) if user.email else Q(pk=None)
    for address in addresses:
        wanted |= Q(recipients__icontains=address)
    mails = OutgoingMail.objects.filter(wanted).order_by("pk")
    yield Section("mails", _("Unsent emails"), [_make_cells(mail, ("subject", "body")) for mail in mails])


def _read_player(players: models.QuerySet[Player]) -> Iterator[Section]:
    yield Section("players", _("Player"), [_make_cells(player, PLAYER_FIELDS) for player in players.order_by("pk")])
    for source in OF_PLAYER:
        yield _read_source(source, source.model._default_manager.filter(**{f"{source.owner}__in": players}))
    yield Section("games", _("Games"), list(_read_games(players)))


def _read_source(source: Source, rows: models.QuerySet[Any]) -> Section:
    relations = [name for name in source.names if _is_relation(source.model, name)]
    rows = rows.select_related(*relations, *source.related.split()).order_by("pk")
    return Section(source.key, str(source.title), [_make_cells(row, source.names) for row in rows])


def _read_games(players: models.QuerySet[Player]) -> Iterator[list[Cell]]:
    """Yield the games of a person with the public names of the opponents."""
    own = set(players.values_list("pk", flat=True))
    for sides in (("a", "b"), ("b", "a")):
        games = Game.objects.filter(**{f"{sides[0]}__player__in": own}).order_by("table__last_day", "round", "pk")
        for game in games.select_related("table__event", "a__player", "b__player"):
            opponent = getattr(game, sides[1])
            points = game.score if sides[0] == "a" else invert_score(game.score, game.kind)
            public = opponent.player.public_id if opponent else None
            yield [
                Cell("event", _("Event"), game.table.event.public_id, game.table.event.name),
                Cell("day", _("Day"), game.table.last_day, _show(game.table.last_day)),
                Cell("round", _("Round"), game.round, str(game.round)),
                Cell("opponent", _("Opponent"), public, opponent.player.public_name if opponent else "–"),
                Cell("points", _("Points"), points, _show(points)),
                Cell("played", _("Played"), game.played, _show(game.played)),
                Cell("kind", _("Kind"), game.kind, _show(game.get_kind_display())),
            ]


def _read_logs(user: User, players: models.QuerySet[Player]) -> Iterator[Section]:
    """Yield the changes of the person's own data, and the kinds and times of the changes that the person made."""
    own = list(players.values_list("pk", flat=True))
    about = Q(content_type=ContentType.objects.get_for_model(User), object_pk=str(user.pk))
    about |= Q(content_type=ContentType.objects.get_for_model(Player), object_pk__in=[str(pk) for pk in own])
    for model in LOGGED_WITH_PLAYER:
        kind = ContentType.objects.get_for_model(model)
        rows = model._default_manager.filter(player__in=own).values_list("pk", flat=True)
        about |= Q(content_type=kind, object_pk__in=[str(pk) for pk in rows] + _list_deleted_rows(kind, own))
    changes = LogEntry.objects.filter(about).select_related("content_type").order_by("pk")
    yield Section(
        "changes_of_my_data",
        _("Changes of my data"),
        [_make_cells(entry, ("timestamp", "action", "content_type", "changes")) for entry in changes],
    )
    by = LogEntry.objects.filter(actor=user).select_related("content_type").order_by("pk")
    yield Section(
        "changes_by_me",
        _("Changes that I made"),
        [_make_cells(entry, ("timestamp", "action", "content_type", "remote_addr")) for entry in by],
    )


def _list_deleted_rows(kind: ContentType, players: Iterable[int]) -> list[str]:
    """Return the primary keys of the deleted rows of a kind that were those of players when they were deleted."""
    deleted = LogEntry.objects.filter(content_type=kind, action=LogEntry.Action.DELETE)
    deleted = deleted.filter(changes__player__0__in=[str(pk) for pk in players])
    return list(deleted.values_list("object_pk", flat=True))


def _make_cells(row: models.Model, names: Iterable[str]) -> list[Cell]:
    return [_make_cell(row, name) for name in names]


def _make_cell(row: models.Model, name: str) -> Cell:
    label, value = _find_label(type(row), name), getattr(row, name)
    if not isinstance(value, bytes | memoryview):
        return Cell(name, label, *_read_value(row, name))
    if not value:
        return Cell(name, label, None, "–")
    file, content = getattr(row, FILE_NAMES[name], FILE_NAMES[name]), b64encode(value).decode()
    return Cell(name, label, {"name": file, "base64": content}, file, content)


def _is_relation(model: type[models.Model], name: str) -> bool:
    return name not in LABELS and model._meta.get_field(name).is_relation


def _find_label(model: type[models.Model], name: str) -> str:
    return str(LABELS[name] if name in LABELS else getattr(model._meta.get_field(name), "verbose_name", name))


def _read_value(row: models.Model, name: str) -> tuple[Any, str]:
    """Return a value for JSON and its text: of a choice its label, of another row its public name."""
    value = getattr(row, name)
    if isinstance(value, models.Model):
        return str(value), str(value)
    if isinstance(value, Country):
        return value.code, str(value.name)
    if display := getattr(row, f"get_{name}_display", None):
        return value, str(display())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value), join_parts(value)
    return value, _show(value)


def _show(value: Any) -> str:
    """Return a value as people read it, in their language; “–” for an empty one."""
    write = next((write for kind, write in WRITERS.items() if isinstance(value, kind)), str)
    return ("" if value is None else write(value)) or "–"


FILE_NAMES = {"letter": "letter_name", "dossier": "dossier.pdf", "certificate": "certificate.pdf"}
"""Names of stored files by their field, or the field with the name."""
WRITERS: Mapping[type[Any], Callable[[Any], str]] = {
    bool: lambda value: _("yes") if value else _("no"),
    dt.datetime: format_moment,
    dt.date: format_day,
    float: lambda value: format_number(f"{value:g}"),
    dict: lambda value: "; ".join(f"{key}: {_show(each)}" for key, each in value.items()),
    list: lambda value: " → ".join(map(_show, value)),
    str: translate_message,
}
"""Functions that write values as people read them, by type; a datetime is also a date, and comes first."""
