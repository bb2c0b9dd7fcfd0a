"""A list's opening by a file that an officer gives: checked first, its bytes waiting, then stored."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.formats.opening_list import read_opening_list
from ratings.formats.parsed import Problems
from ratings.models import RatingList, Upload

from .acting import acting_user
from .openings import Opened, import_opening_list
from .outcome import UnratableError

KEPT_WAITING = dt.timedelta(days=1)


@dataclass
class Opening:
    """What is wrong with a file, and what came of it or would come; `upload` waits to be stored."""

    problems: Problems
    day: dt.date | None = None
    opened: Opened = field(default_factory=Opened)
    told: str = ""
    upload: Upload | None = None


def check_opening(rating_list: RatingList, name: str, data: bytes, *, day: dt.date | None) -> Opening:
    """What a file would lay down, made and taken back; if it can be stored, its bytes wait for that."""
    with transaction.atomic():
        opening = _open(rating_list, name, data, day)
        transaction.set_rollback(True)
    if opening.problems.fatal or opening.opened.nothing:
        return opening
    with transaction.atomic():
        Upload.objects.filter(form=Upload.WAITING, at__lt=timezone.now() - KEPT_WAITING).delete()
        opening.upload = Upload.objects.create(
            list=rating_list, name=name[-200:], form=Upload.WAITING, data=data, by=acting_user()
        )
    return opening


@transaction.atomic
def store_opening(rating_list: RatingList, upload: int, *, day: dt.date) -> Opening:
    """Lay down what was checked, after checking it again; from then on its bytes are kept for ever.

    ValidationError: the file waits no longer.
    """
    waiting = Upload.objects.select_for_update().filter(pk=upload, form=Upload.WAITING, list=rating_list).first()
    if waiting is None:
        raise ValidationError(_("This file was stored already, or has waited too long: choose it again."))
    opening = _open(rating_list, waiting.name, bytes(waiting.data), day)
    if not (opening.problems.fatal or opening.opened.nothing):
        waiting.form = Upload.RATING_LIST
        waiting.save(update_fields=["form"])
    return opening


def _open(rating_list: RatingList, name: str, data: bytes, day: dt.date | None) -> Opening:
    parsed, problems = read_opening_list(data)
    opening = Opening(problems, day or (parsed.day if parsed else None))
    if parsed is None:
        return opening
    if opening.day is None:
        problems.error(_("the file does not tell its day; fill in the day"))
        return opening
    try:
        opening.opened = import_opening_list(parsed, rating_list, problems, day=opening.day, source=name)
    except UnratableError as error:
        problems.error(_("the list could not be rated with it: %(error)s") % {"error": error})
    if not problems.fatal:
        opening.told = told(opening.opened, rating_list, opening.day)
    return opening


def told(opened: Opened, rating_list: RatingList, day: dt.date) -> str:
    """One line on what came of a file."""
    there, where = opened.there, {"list": rating_list.slug, "day": day}
    if opened.nothing:
        nothing = _("already there: all %(all)d players have these ratings on %(list)s on %(day)s; nothing to store")
        return nothing % {"all": there, **where}
    given = _("%(given)d players given their ratings on %(list)s on %(day)s")
    parts = [given % {"given": len(opened.given), **where}]
    if opened.new:
        parts.append(_("%(new)d of them new") % {"new": len(opened.new)})
    if there:
        parts.append(_("%(there)d had them already") % {"there": there})
    if opened.details:
        parts.append(_("prior grade, country or birth year kept of %(details)d") % {"details": opened.details})
    return "; ".join(parts)
