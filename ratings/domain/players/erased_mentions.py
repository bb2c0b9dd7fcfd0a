"""Search for texts that name a person and are not changed when the person is erased."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import models
from django.db.models import Q

from ratings.models import Club, Event, Federation, Player, RatingList, Table

from .erased_names import collect_erased_texts
from .personal_texts import ErasedText

UNCHANGED_FIELDS: tuple[tuple[type[models.Model], tuple[str, ...]], ...] = (
    (Event, ("name", "place", "link")),
    (Table, ("name",)),
    (Club, ("name", "city", "website")),
    (Federation, ("name", "description", "contact", "imprint", "privacy")),
    (RatingList, ("name", "approving_person", "approving_mail", "signer")),
)
"""Models with their fields that erasing a person leaves unchanged and officers change by hand.

The order in which tables are rated depends on some of these texts, and documents contain others.
"""


def find_unchanged_mentions(player: Player) -> list[models.Model]:
    """Return the events, tables, clubs, federations and lists whose texts name a person and stay when they are erased.

    An officer changes these texts by hand. A name of one word is not searched, because it may mean anything.
    """
    texts = [text for text in collect_erased_texts(player) if text.is_certain]
    return [row for model, fields in UNCHANGED_FIELDS for row in _find_rows(model, fields, texts)] if texts else []


def _find_rows(model: type[models.Model], fields: tuple[str, ...], texts: list[ErasedText]) -> Iterator[models.Model]:
    wanted = Q()
    for field in fields:
        for text in texts:
            for part in text.search_terms:
                wanted |= Q(**{f"{field}__icontains": part})
    for row in model._default_manager.filter(wanted).order_by("pk"):
        values = [getattr(row, field) for field in fields]
        if any(text.erase(value) != value for text in texts for value in values if value):
            yield row
