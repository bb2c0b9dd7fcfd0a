"""Recording of results in the hall: every tap is stored once, and nothing is overwritten."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.models import Hall, HallBoard, HallLink, HallResult

from .halls import lock_hall, save_changed
from .provisional import request_ratings


@dataclass(frozen=True)
class Device:
    """A phone that enters results: its id, the name of the person, and their account or the link they came by."""

    id: str
    name: str
    user: User | None = None
    link: HallLink | None = None


@dataclass(frozen=True)
class Tap:
    """A result as a phone sends it; `seen` is the last tap of the board that the phone displayed."""

    board: int
    code: str
    uuid: UUID
    seen: int = 0
    decides: bool = False


class BoardMissingError(ValidationError):
    """Error for a board that was deleted meanwhile."""


@transaction.atomic
def record_tap(hall: Hall, device: Device, tap: Tap) -> HallResult:
    """Store a tap, or return the stored one if the phone sends it again.

    Raise BoardMissingError if the board is gone, ValidationError if the results have been submitted or the link of the
    device has ended.
    """
    if stored := HallResult.objects.filter(uuid=tap.uuid, board__hall=hall).first():
        return stored
    hall = lock_hall(hall)  # taps of one hall are stored one after the other, in the order of their primary keys
    if stored := HallResult.objects.filter(uuid=tap.uuid).first():
        return stored
    if device.link is not None and not HallLink.objects.get(pk=device.link.pk).admits(device.id):
        raise ValidationError(_("This link has ended."))
    if tap.code not in HallResult.Code.values:
        raise ValidationError(_("Unknown result “%(code)s”.") % {"code": tap.code[:20]})
    board = HallBoard.objects.filter(hall=hall, pk=tap.board).first()
    if board is None:
        raise BoardMissingError(_("This board no longer exists: the pairings were changed."))
    result = HallResult.objects.create(
        board=board,
        uuid=tap.uuid,
        code=tap.code,
        decides=tap.decides,
        seen=tap.seen,
        device=device.id,
        name=device.name[:60],
        by=device.user,
        link=device.link,
    )
    save_changed(hall)
    request_ratings(hall)
    return result
