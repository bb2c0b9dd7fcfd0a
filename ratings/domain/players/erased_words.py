"""Words of erased names, stored as keyed hashes, so that a pairing program or a results file cannot bring a name back.

A program has the names in its own file, and sends them again with each round. Only this site's secret key and the event
turn a word into its hash, so a stored hash does not tell the name.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable

from django.utils.crypto import salted_hmac

from ratings.formats.html_tables import Table
from ratings.models import ErasedWord, Event
from ratings.queries.events.pairing_pages import HIDDEN, hide_words
from ratings.queries.players.names import WORD, is_hidden_word, is_of_script_without_spaces, list_words

from .searched_texts import list_row_texts

DIGEST_LENGTH = 32


class ErasedWords(Container[str]):
    """The words of the erased names of an event, of which only `in` can be asked; False without any."""

    def __init__(self, event: int, digests: Iterable[str]) -> None:
        self._event, self._digests = event, frozenset(digests)
        self._answers: dict[object, bool] = {}

    def __contains__(self, word: object) -> bool:
        if word not in self._answers:
            self._answers[word] = _digest_word(self._event, str(word)) in self._digests
        return self._answers[word]

    def __bool__(self) -> bool:
        return bool(self._digests)


def remember_erased_words(words: Collection[str], events: Collection[int]) -> None:
    """Store the hashes of an erased person's words for those of the events to which programs can still send pages."""
    hidden = list(filter(_is_remembered, words))
    for event in Event.objects.filter(pk__in=events, state__in=Event.OPEN).values_list("pk", flat=True):
        rows = [ErasedWord(event_id=event, digest=_digest_word(event, word)) for word in hidden]
        ErasedWord.objects.bulk_create(rows, ignore_conflicts=True)


def read_erased_words(event: Event) -> ErasedWords:
    """Return the words of the names of people who were erased while results of the event were open."""
    return ErasedWords(event.pk, ErasedWord.objects.filter(event=event.pk).values_list("digest", flat=True))


def is_erased_name(words: ErasedWords, name: str) -> bool:
    """Return True if all words of a name, beside single letters, are words of erased names."""
    written = [word for word in list_words(name) if _is_remembered(word)] if words else []
    return bool(written) and all(is_hidden_word(word, words) for word in written)


def _is_remembered(word: str) -> bool:
    """Return True unless the word is a single letter of an alphabet, an initial which may stand anywhere."""
    return len(word) > 1 or is_of_script_without_spaces(word)


def hide_erased_words(event: Event, tables: list[Table]) -> list[Table]:
    """Return the tables of a page with each word of a name that was erased at this event replaced by HIDDEN.

    All words of a row are hidden where such a word is found in another form, such as in wrongly decoded letters.
    """
    words = read_erased_words(event)
    if not words:
        return tables
    return [[_hide_row(row, words) for row in hide_words(table, words)] for table in tables]


def _hide_row(row: list[str], words: ErasedWords) -> list[str]:
    forms = [[text.folded] for text in list_row_texts(row)]
    return row if hide_words(forms, words) == forms else [WORD.sub(HIDDEN, cell) for cell in row]


def _digest_word(event: int, word: str) -> str:
    return salted_hmac("ratings.erased_word", f"{event}:{word}", algorithm="sha256").hexdigest()[:DIGEST_LENGTH]
