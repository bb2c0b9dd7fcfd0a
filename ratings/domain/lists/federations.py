"""Creation and lookup of federations."""

from __future__ import annotations

from anyascii import anyascii
from django.db import transaction
from django.utils.text import slugify

from ratings.models import Federation


@transaction.atomic
def get_or_create_federation(name: str) -> Federation:
    """Return the federation with this name; create it if there is none, with an address made of the name.

    Raise ValidationError if the name is not a possible one.
    """
    known = Federation.objects.filter(name=name).first()
    if known is not None:
        return known
    federation = Federation(name=name, slug=_find_free_slug(name))
    federation.full_clean()
    federation.save()
    return federation


def _find_free_slug(name: str) -> str:
    base = slugify(anyascii(name))[:40] or "federation"
    used = set(Federation.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in (base, *(f"{base}-{number}" for number in range(2, 10_000))) if slug not in used)
