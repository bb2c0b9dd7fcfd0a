"""Where the texts of the pure parts and of stored rows, which are English, get the visitor's language."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from babel.messages.mofile import read_mo
from django.conf import settings
from django.utils.translation import get_language, gettext, gettext_noop, to_locale

from ratings.systems.words import Words

# what systems call players by how much is known of them
CATEGORIES = [
    gettext_noop("unrated"),
    gettext_noop("ungraded"),
    gettext_noop("provisional"),
    gettext_noop("unofficial"),
    gettext_noop("new"),
    gettext_noop("rated"),
    gettext_noop("graded"),
    gettext_noop("established"),
    gettext_noop("official"),
    gettext_noop("fixed"),
]
# how a grade came to be on a list, besides the ways that the systems' rules name
DECIDED = [
    gettext_noop("printed"),
    gettext_noop("given"),
    gettext_noop("kept"),
    gettext_noop("withheld"),
    gettext_noop("approved"),
    gettext_noop("declined"),
]


VALUE = re.compile(r"\{(\w+)[^}]*\}")
AND = "; "
LETTERS = 6  # of a pattern itself, from which a text is taken to be made by it
NESTED = {"whom", "how", "error", "accepts"}
"""Values that are texts of ours as well."""


def translated(text: str) -> str:
    """In the present language; of a stored text what stands in the catalogue, or was made from a pattern there."""
    if not text:
        return ""
    if isinstance(text, Words):
        values = {key: translated(value) if isinstance(value, Words) else value for key, value in text.values.items()}
        told = gettext(text.pattern)
        return told.format(**values) if values else told
    told = gettext(text)
    return told if told != text else _stored(text, get_language() or settings.LANGUAGE_CODE)


@lru_cache(maxsize=2000)
def _stored(text: str, language: str) -> str:
    """A text that has lost its pattern; of several, one after the other, each by itself."""
    for form, pattern in _patterns(language):
        if pattern.count(AND) == text.count(AND) and (found := form.fullmatch(text)):
            return _filled(gettext(pattern), found.groupdict())
    return AND.join(map(translated, text.split(AND))) if AND in text else text


def _filled(pattern: str, values: dict[str, str]) -> str:
    told = {key: translated(value) if key in NESTED else value for key, value in values.items()}
    return VALUE.sub(lambda name: told[name[1]], pattern)


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The texts with values of a language's catalogue, those with most letters of their own first."""
    file = Path(settings.LOCALE_PATHS[0], to_locale(language), "LC_MESSAGES", "django.mo")
    if not file.exists():
        return []
    with file.open("rb") as opened:
        texts = [message.id for message in read_mo(opened) if isinstance(message.id, str) and "{" in message.id]
    own = {text: len(re.findall(r"[^\W\d_]", VALUE.sub("", text))) for text in texts}
    several = sorted((text for text in texts if own[text] >= LETTERS), key=lambda text: -own[text])
    return [(_form(text), text) for text in several]


def _form(pattern: str) -> re.Pattern[str]:
    """What is written from a pattern; the same name stands for the same value."""
    parts, known = VALUE.split(pattern), set[str]()
    form = re.escape(parts[0])
    for name, following in zip(parts[1::2], parts[2::2], strict=True):
        form += (f"(?P={name})" if name in known else f"(?P<{name}>.+?)") + re.escape(following)
        known.add(name)
    return re.compile(form, re.DOTALL)
