"""Creation and lookup of federations, and the addresses of federations and lists."""

from __future__ import annotations

from itertools import chain, count

from anyascii import anyascii
from django.db import transaction
from django.utils.text import slugify

from ratings.models import Federation, RatingList


@transaction.atomic
def get_or_create_federation(name: str) -> Federation:
    """Return the federation with this name; create it if there is none, with an address made of the name.

    Raise ValidationError if the name is not a possible one.
    """
    known = Federation.objects.filter(name=name).first()
    if known is not None:
        return known
    federation = Federation(name=name, slug=find_free_slug(Federation, name))
    federation.full_clean()
    federation.save()
    return federation


def find_free_slug(model: type[Federation | RatingList], name: str) -> str:
    """Return a short name in addresses, made of a name, that no federation or list of the model has yet."""
    base = slugify(anyascii(name))[:40] or ("federation" if model is Federation else "list")
    used = set(model._default_manager.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return next(slug for slug in chain([base], numbered) if slug not in used)
