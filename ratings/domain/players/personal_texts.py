"""Removal of a person's name from stored texts, entries and files."""

from __future__ import annotations

import json
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import F, Q, TextField
from django.db.models.functions import Cast

from ratings.matching import fold, fold_expanded
from ratings.models import Submission
from ratings.systems.messages import Message

from .name_search import NameSearch
from .searched_texts import SearchedText, read_searched_texts

NAME_FIELDS = ("family", "given")
OTHER_FIELDS = ("native", "sex", "birth_year", "evidence")
EMPTIED_FIELDS = ("typed", "outside")
"""Fields of a row of results with texts by name: invalid entries, and ids in other registries."""
ERASED = "(erased)"


class ErasedText(ABC):
    """Text that names a person, with the terms to search for and the replacement in stored values."""

    @property
    @abstractmethod
    def search_terms(self) -> frozenset[str]:
        """Search terms: every stored value that has to be changed contains at least one of them."""

    @property
    def is_certain(self) -> bool:
        """Return whether finding the text anywhere is enough to know that the person is meant."""
        return True

    @abstractmethod
    def erase_text(self, text: str) -> str:
        """Return a text with what names the person replaced."""

    def erase(self, value: Any) -> Any:
        """Return a text, a message or JSON data with the name replaced in all texts, also in the keys of objects."""
        if isinstance(value, Message):
            return value.change_texts(self.erase_text)
        if isinstance(value, str):
            return self.erase_text(value)
        if isinstance(value, list | tuple):
            return type(value)(self.erase(each) for each in value)
        if isinstance(value, dict):
            return {self.erase(key): self.erase(each) for key, each in value.items()}
        return value

    @abstractmethod
    def is_named_in(self, text: SearchedText) -> bool:
        """Return whether the text of a file or of a row of a table names the person."""


@dataclass(frozen=True)
class ErasedName(ErasedText):
    """A name and its replacement: `public_id` finds entries, `family` and `given` replace the names `old`."""

    public_id: str
    old: tuple[str, str]
    family: str
    given: str

    @property
    def replacement(self) -> str:
        return f"{self.family} {self.given}"

    @property
    def search_terms(self) -> frozenset[str]:
        return frozenset(_spell(self.old[0].split(" ")[0])) | {self.public_id}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Both names in either order, with blanks, underscores or a comma between them.

        A single word is only found as the whole text: it can be another person's name, or no name at all.
        """
        family, given = (_pattern_of(part) for part in self.old)
        if self.is_one_word:
            return re.compile(rf"\A\s*{family}\s*\Z", re.IGNORECASE)
        if not self.old[1]:
            return _whole_words(family, self.old[0])
        return _whole_words(rf"(?:{family}(?:,[\s_]*|[\s_]+){given}|{given}[\s_]+{family})", "".join(self.old))

    @property
    def is_one_word(self) -> bool:
        """Return whether the name is one word of Latin letters."""
        return not self.old[1] and " " not in self.old[0] and fold(self.old[0]).isascii()

    @property
    def is_certain(self) -> bool:
        return not self.is_one_word

    def erase_text(self, text: str) -> str:
        return self.pattern.sub(self.replacement, text)

    def erase(self, value: Any) -> Any:
        """Return data with the name replaced in all texts; entries of the person lose all details."""
        erased = super().erase(value)
        return self._erase_entry(erased) if isinstance(value, dict) and self._is_entry(value) else erased

    def _is_entry(self, value: Mapping[str, Any]) -> bool:
        """Return whether a row of results is the person's: by the chosen player or, if none is chosen, by the name."""
        if "family" not in value:
            return False
        if chosen := value.get("player"):
            return bool(chosen == self.public_id)
        return _fold_name(f"{value['family']} {value.get('given', '')}") == _fold_name(" ".join(self.old))

    def _erase_entry(self, value: Mapping[str, Any]) -> dict[str, Any]:
        named = dict(zip(NAME_FIELDS, (self.family, self.given), strict=True))
        blank = {name: "" if isinstance(value[name], str) else None for name in OTHER_FIELDS if name in value}
        emptied: dict[str, Any] = {name: {} for name in EMPTIED_FIELDS if name in value}
        return {**value, **named, **blank, **emptied}

    @cached_property
    def search(self) -> NameSearch:
        return NameSearch(*self.old)

    def is_named_in(self, text: SearchedText) -> bool:
        return self.search.is_named_in(text)


@dataclass(frozen=True)
class ErasedIdentifier(ErasedText):
    """An email address or an id in another registry, which stands for one person wherever it is found."""

    value: str

    @property
    def search_terms(self) -> frozenset[str]:
        return frozenset({self.value})

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\w.@-]){re.escape(self.value)}(?![\w@-])", re.IGNORECASE)

    def erase_text(self, text: str) -> str:
        return self.pattern.sub(ERASED, text)

    def is_named_in(self, text: SearchedText) -> bool:
        return self.pattern.search(text.folded) is not None


def is_named_in(texts: Collection[ErasedText], data: bytes) -> bool:
    """Return whether a file has one of the texts, in any encoding that is read."""
    return any(text.is_named_in(searched) for searched in read_searched_texts(data) for text in texts)


def erase_in_rows(texts: Sequence[ErasedText], rows: models.QuerySet[Any], *fields: str) -> None:
    """Replace what names a person in the text and JSON fields of those rows that contain it."""
    wanted = Q()
    for field in fields:
        rows = rows.annotate(**{f"searched_{field}": Cast(field, TextField())})
        for text in frozenset[str]().union(*(text.search_terms for text in texts)):
            wanted |= Q(**{f"searched_{field}__icontains": text})
    for row in rows.filter(wanted).select_for_update(of=("self",)).iterator():
        erased = {field: erase_all(texts, getattr(row, field)) for field in fields}
        if any(erased[field] != getattr(row, field) for field in fields):
            if rows.model is Submission:  # the new version stops open pages from saving the name again
                erased["version"] = F("version") + 1
            rows.model._default_manager.filter(pk=row.pk).update(**erased)


def erase_all(texts: Iterable[ErasedText], value: Any) -> Any:
    """Return a value with everything that names the person replaced."""
    for text in texts:
        value = text.erase(value)
    return value


def _spell(text: str) -> set[str]:
    """Return the ways in which a name may be stored: without accents, decomposed, and as JSON writes it."""
    forms = {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}
    forms |= {fold(text), fold_expanded(text)}
    return forms | {json.dumps(form)[1:-1] for form in forms}


def _pattern_of(part: str) -> str:
    """Return a pattern for a name; names in scripts without spaces between words may have them or not."""
    forms = sorted(_spell(part), key=lambda form: (-len(form), form))
    space = r"[\s_]+" if fold(part).isascii() else r"[\s_]*"
    return "(?:{})".format("|".join(space.join(map(re.escape, form.split())) for form in forms))


def _whole_words(pattern: str, name: str) -> re.Pattern[str]:
    """Compile a pattern that matches no part of a word, except in scripts without spaces between words."""
    if not fold(name).isascii() and len(name) > 1:
        return re.compile(pattern, re.IGNORECASE)
    return re.compile(rf"(?<![^\W_]){pattern}(?![^\W_])", re.IGNORECASE)


def _fold_name(name: str) -> str:
    return fold(name).replace(",", "")
