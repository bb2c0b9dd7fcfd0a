"""Storage of submitted forms that their sender finishes later; only the sender can continue them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import HeldFile, HeldForm

HELD_FOR = dt.timedelta(days=1)
FORMS_AT_MOST = 20
"""Maximum number of stored forms of one user; the oldest are deleted first."""
BYTES_AT_MOST = 5_000_000
"""Maximum size in bytes of all files of one form together."""


@dataclass(frozen=True)
class UploadedFormFile:
    """A file that was uploaded with a form."""

    field: str
    name: str
    content_type: str
    data: bytes


@transaction.atomic
def save_held_form(
    user: User, path: str, fields: Sequence[tuple[str, str]], files: Iterable[UploadedFormFile] = ()
) -> HeldForm:
    """Store a form and return it. ValidationError: its files are larger than 5 MB together."""
    uploaded = list(files)
    if sum(len(file.data) for file in uploaded) > BYTES_AT_MOST:
        raise ValidationError(_("The files are too large: at most 5 MB."))
    delete_old_forms()
    oldest = HeldForm.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)[FORMS_AT_MOST - 1 :]
    HeldForm.objects.filter(pk__in=list(oldest)).delete()
    held = HeldForm.objects.create(user=user, path=path, fields=[list(field) for field in fields])
    HeldFile.objects.bulk_create(
        HeldFile(
            form=held,
            field=file.field[:100],
            name=file.name[-255:],
            content_type=file.content_type[:255],
            data=file.data,
        )
        for file in uploaded
    )
    return held


def get_held_form(user: User, key: str) -> HeldForm | None:
    """Return the form with a key if this user sent it within the last day, else None."""
    forms = HeldForm.objects.filter(user=user, key=key, at__gt=timezone.now() - HELD_FOR)
    return forms.prefetch_related("files").first()


def delete_old_forms() -> None:
    """Delete forms that were not continued within a day."""
    HeldForm.objects.filter(at__lte=timezone.now() - HELD_FOR).delete()
