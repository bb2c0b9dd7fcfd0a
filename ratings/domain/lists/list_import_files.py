"""Import of a rating list from a file that an officer uploads: checked first, then confirmed and stored."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.runs.outcome import UnratableError
from ratings.domain.site.acting import acting_user
from ratings.formats.list_import import read_list_import
from ratings.formats.parsed import Problems
from ratings.models import RatingList, Upload

from .list_import import ListImportResult, import_rating_list

WAITING_PERIOD = dt.timedelta(days=1)


@dataclass
class ListImport:
    """Problems of a file, and the result of importing it or a preview of that; `upload` waits for confirmation."""

    problems: Problems
    day: dt.date | None = None
    result: ListImportResult = field(default_factory=ListImportResult)
    summary: str = ""
    upload: Upload | None = None


def check_list_import(
    rating_list: RatingList, name: str, data: bytes, *, day: dt.date | None, default_day: dt.date | None = None
) -> ListImport:
    """Return what importing a file would do, made and rolled back; a valid file is saved until it is confirmed.

    `default_day` is the day of a file that has none, if no `day` is given.
    """
    with transaction.atomic():
        opening = _import_file(rating_list, name, data, day, default_day=default_day)
        transaction.set_rollback(True)
    if opening.problems.fatal or opening.result.is_empty:
        return opening
    with transaction.atomic():
        Upload.objects.filter(format=Upload.WAITING, at__lt=timezone.now() - WAITING_PERIOD).delete()
        opening.upload = Upload.objects.create(
            list=rating_list, name=name[-200:], format=Upload.WAITING, data=data, by=acting_user()
        )
    return opening


@transaction.atomic
def confirm_list_import(rating_list: RatingList, upload: int, *, day: dt.date) -> ListImport:
    """Import a file that was checked, after checking it again; from then on the file is stored permanently.

    ValidationError: the file no longer waits.
    """
    waiting = Upload.objects.select_for_update().filter(pk=upload, format=Upload.WAITING, list=rating_list).first()
    if waiting is None:
        raise ValidationError(_("This file was imported already, or has expired: choose it again."))
    opening = _import_file(rating_list, waiting.name, bytes(waiting.data), day, upload=waiting)
    if not (opening.problems.fatal or opening.result.is_empty):
        waiting.format = Upload.RATING_LIST
        waiting.save(update_fields=["format"])
    return opening


def _import_file(
    rating_list: RatingList,
    name: str,
    data: bytes,
    day: dt.date | None,
    *,
    default_day: dt.date | None = None,
    upload: Upload | None = None,
) -> ListImport:
    parsed, problems = read_list_import(data)
    opening = ListImport(problems, day or (parsed.day if parsed else None) or default_day)
    if parsed is None:
        return opening
    if opening.day is None:
        problems.error(_("the file does not contain the day of the list; enter the day"))
        return opening
    try:
        opening.result = import_rating_list(parsed, rating_list, problems, day=opening.day, source=name, upload=upload)
    except UnratableError as error:
        problems.error(_("the list could not be rated with it: %(error)s") % {"error": error})
    if not problems.fatal:
        opening.summary = summarise_import(opening.result, rating_list, opening.day)
    return opening


def summarise_import(opened: ListImportResult, rating_list: RatingList, day: dt.date) -> str:
    """Return one line that summarises an import."""
    existing, fields = opened.unchanged, {"list": rating_list.slug, "day": day}
    if opened.is_empty:
        message = _("already there: all %(all)d players have these ratings on %(list)s on %(day)s; nothing to store")
        return message % {"all": existing, **fields}
    message = _("%(given)d players given their ratings on %(list)s on %(day)s")
    parts = [message % {"given": len(opened.adjusted), **fields}]
    if opened.new:
        parts.append(_("%(new)d of them new") % {"new": len(opened.new)})
    if existing:
        parts.append(_("%(there)d had them already") % {"there": existing})
    if opened.details:
        parts.append(
            _("prior grade, country, birth year, gender or membership stored for %(details)d")
            % {"details": opened.details}
        )
    return "; ".join(parts)
