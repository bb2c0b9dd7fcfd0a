"""Removal of a person's name from the pages that pairing programs sent."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Q

from ratings.formats.html_tables import Table
from ratings.models import Event, PairingPage
from ratings.queries.events.pairing_pages import hide_words
from ratings.queries.players.names import list_words

from .erased_words import remember_erased_words
from .personal_texts import ErasedName, ErasedText, erase_all
from .searched_texts import SearchedText, list_row_texts


@transaction.atomic
def erase_in_pairing_pages(texts: Sequence[ErasedText], own_events: Collection[int]) -> None:
    """Hide the words of a person's name on every page of a pairing program that names them.

    A page names them if a row of a table has the family name with the given name or its initial, in any cells; a page
    of `own_events`, the primary keys of the person's events, also if it has the family name alone. All words of the
    name are then hidden everywhere on the page, as the public page hides them while the person is anonymous: it cannot
    once the name is no longer stored. A page on which a word of the name is found even then, such as in wrongly decoded
    letters, is deleted. The words are also hidden in pages that programs send to these events later.
    """
    names = [text for text in texts if isinstance(text, ErasedName)]
    _lock_open_events(own_events)
    remember_erased_words(_list_words(names), own_events)
    for page in PairingPage.objects.order_by("pk").select_for_update(of=("self",)).iterator():
        is_own = page.event_id in own_events
        named = _find_names(names, page.tables, is_own=is_own)
        if not named:
            continue
        words = _list_words(named)
        remember_erased_words(words, [page.event_id])
        tables = [hide_words(table, words) for table in erase_all(texts, page.tables)]
        if _find_names(named, tables, is_own=is_own) or _has_words(tables, words):
            page.delete()
        else:
            PairingPage.objects.filter(pk=page.pk).update(tables=tables)


def _lock_open_events(own_events: Collection[int]) -> None:
    """Lock the events to which programs can send pages, so that none with the name is stored meanwhile."""
    with_pages = PairingPage.objects.values("event")
    chosen = Event.objects.filter(Q(pk__in=own_events) | Q(pk__in=with_pages), state__in=Event.OPEN)
    # FOR NO KEY UPDATE: an entry for an event holds a share of its key, and may wait for the person's row
    list(chosen.select_for_update(of=("self",), no_key=True).order_by("pk").values_list("pk", flat=True))


def _list_words(names: Sequence[ErasedName]) -> set[str]:
    return {word for name in names for word in list_words(" ".join(name.old))}


def _find_names(names: Sequence[ErasedName], tables: Sequence[Table], *, is_own: bool) -> list[ErasedName]:
    """Return the names that a row of the tables contains."""
    row_texts = _list_row_texts(tables)
    if is_own:
        return [name for name in names if any(name.search.has_family_name(text) for text in row_texts)]
    return [name for name in names if name.is_certain and any(name.is_named_in(text) for text in row_texts)]


def _has_words(tables: Sequence[Table], words: Collection[str]) -> bool:
    """Return whether a row has one of the words in any form, such as in wrongly decoded letters."""
    rows = [[text.folded] for text in _list_row_texts(tables)]
    return hide_words(rows, words) != rows


def _list_row_texts(tables: Sequence[Table]) -> list[SearchedText]:
    rows = {tuple(row) for table in tables for row in table}
    return [text for row in rows for text in list_row_texts(row)]
