"""Removal of a person's name from stored texts, entries and files."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import F, Q, TextField
from django.db.models.functions import Cast

from ratings.matching import fold
from ratings.models import Submission

NAME_FIELDS = ("family", "given")
OTHER_FIELDS = ("native", "birth_year", "evidence")
EMPTIED_FIELDS = ("typed", "outside")
"""Fields of a row of results with texts by name: invalid entries, and ids in other registries."""


@dataclass(frozen=True)
class ErasedName:
    """A name and its replacement: `public_id` finds entries, `family` and `given` replace the names `old`."""

    public_id: str
    old: tuple[str, str]
    family: str
    given: str

    @property
    def replacement(self) -> str:
        return f"{self.family} {self.given}"

    @property
    def pattern(self) -> re.Pattern[str]:
        """Both names in either order, with a space or a comma between them; a single word only as the whole text.

        A single word can be another person's name, or no name at all.
        """
        family, given = (re.escape(part) for part in self.old)
        if self.is_one_word:
            return re.compile(rf"\A\s*{family}\s*\Z", re.IGNORECASE)
        if not given:
            return re.compile(rf"\b{family}\b", re.IGNORECASE)
        return re.compile(rf"\b(?:{family},?\s+{given}|{given}\s+{family})\b", re.IGNORECASE)

    @property
    def is_one_word(self) -> bool:
        """Return whether the name is one word of Latin letters."""
        return not self.old[1] and " " not in self.old[0] and fold(self.old[0]).isascii()

    def erase(self, value: Any) -> Any:
        """Return a text, or JSON data, with the name replaced in all texts; entries of the person lose all details."""
        if isinstance(value, str):
            return self.pattern.sub(self.replacement, value)
        if isinstance(value, list):
            return [self.erase(each) for each in value]
        if isinstance(value, dict):
            return self._erase_entry(value) if self._is_entry(value) else {k: self.erase(v) for k, v in value.items()}
        return value

    def _is_entry(self, value: Mapping[str, Any]) -> bool:
        """Return whether a row of results is the person's: by the chosen player or, if none is chosen, by the name."""
        if "family" not in value:
            return False
        if chosen := value.get("player"):
            return bool(chosen == self.public_id)
        return fold(f"{value['family']} {value.get('given', '')}") == fold(" ".join(self.old))

    def _erase_entry(self, value: Mapping[str, Any]) -> dict[str, Any]:
        named = dict(zip(NAME_FIELDS, (self.family, self.given), strict=True))
        blank = {name: "" if isinstance(value[name], str) else None for name in OTHER_FIELDS if name in value}
        emptied: dict[str, Any] = {name: {} for name in EMPTIED_FIELDS if name in value}
        return {name: self.erase(each) for name, each in value.items()} | named | blank | emptied

    def is_in(self, data: bytes) -> bool:
        """Return whether a file names the person: both names as whole words in a line, in any encoding that is read."""
        words = [re.compile(rf"(?<!\w){re.escape(fold(part))}(?!\w)") for part in self.old if part]
        return any(all(word.search(line) for word in words) for line in _lines(data))


def erase_in_rows(names: ErasedName, rows: models.QuerySet[Any], *fields: str) -> None:
    """Replace a name in the text and JSON fields of those rows that contain it."""
    family = names.old[0]
    wanted = Q()
    for field in fields:
        rows = rows.annotate(**{f"searched_{field}": Cast(field, TextField())})
        for text in {family, json.dumps(family)[1:-1], names.public_id}:
            wanted |= Q(**{f"searched_{field}__icontains": text})
    for row in rows.filter(wanted).select_for_update(of=("self",)).iterator():
        erased = {field: names.erase(getattr(row, field)) for field in fields}
        if any(erased[field] != getattr(row, field) for field in fields):
            if rows.model is Submission:  # the new version stops open pages from saving the name again
                erased["version"] = F("version") + 1
            rows.model._default_manager.filter(pk=row.pk).update(**erased)


def _lines(data: bytes) -> Iterator[str]:
    """Yield the lines of a file, folded for comparing names; a workbook is one line, because names can span cells."""
    workbook = data.startswith(b"PK")
    if workbook:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                data = b"\n".join(archive.read(name) for name in archive.namelist() if name.endswith(".xml"))
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError):
            return
    for encoding in ("utf-8", "utf-16", "cp1252", "latin-1"):
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        yield from map(fold, [text] if workbook else text.splitlines())
