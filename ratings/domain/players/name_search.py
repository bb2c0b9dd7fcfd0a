"""Search for a person's name in texts; in case of doubt, the name counts as found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ratings.matching import fold
from ratings.queries.players.names import SECOND_LETTER, WORD

from .searched_texts import SearchedText

NEAR = 200
"""Characters before and after a family name in which the given name is searched, also in other lines."""
GAP = r"[\W_]{0,9}"
"""What separates the words of a name: blanks, underscores and other punctuation, or nothing."""
SEPARATOR = r"[\W_]{1,9}"
START, END = r"(?<![^\W_])", r"(?![^\W_])"
WORDS_MOVED_AT_MOST = 4
"""First words of a family name that may follow the given name, such as in “Beispiel, Jan van”."""


@dataclass(frozen=True)
class NameSearch:
    """Patterns that find a name with the family name in full; the given name may be an initial or its first word."""

    family_name: str
    given_name: str

    def is_named_in(self, text: SearchedText) -> bool:
        """Return whether a text has the family name with the given name beside it, near it or in the same line.

        A name without a given name is found by the family name.
        """
        if not self._family_words or self._longest_word not in text.spelled:
            return False
        if not self._given_words:
            return self.has_family_name(text)
        return self._together.search(text.spelled) is not None or self._is_given_name_near(text)

    def has_family_name(self, text: SearchedText) -> bool:
        """Return whether a text has the family name, with any given name or none."""
        return bool(self._family_words) and self._family.search(text.spelled) is not None

    def _is_given_name_near(self, text: SearchedText) -> bool:
        spelled, searched_lines = text.spelled, set()
        for found in self._family.finditer(spelled):
            start, end = found.span()
            near = (0, len(spelled)) if text.is_one_row else (max(0, start - NEAR), end + NEAR)
            line_start, line_end = _find_line(spelled, start)
            pieces = [(near[0], start), (end, near[1])]
            if line_start not in searched_lines:
                searched_lines.add(line_start)
                pieces += [(line_start, start), (end, line_end)]
            if any(self._given.search(spelled, *piece) for piece in pieces if self._given):
                return True
            if any(self._initial.search(spelled, *piece) for piece in pieces[:2]):
                return True
        return False

    @cached_property
    def _family_words(self) -> Sequence[str]:
        return _list_words(self.family_name)

    @cached_property
    def _given_words(self) -> Sequence[str]:
        return _list_words(self.given_name)

    @cached_property
    def _longest_word(self) -> str:
        """The longest word of the family name, which is searched first because that is fast.

        It has no first letter, which joined words lack if it is the second letter of ae, oe, ue or aa.
        """
        longest = max(self._family_words, key=len)
        return longest[1:] if len(longest) > 1 else longest

    @cached_property
    def _family(self) -> re.Pattern[str]:
        return _whole(_join(self._family_words), self._family_words)

    @cached_property
    def _given_forms(self) -> Sequence[str]:
        """Patterns of the whole given name and of its first word, without those that are a single Latin letter."""
        words = self._given_words
        forms = [words, words[:1]] if len(words) > 1 else [words]
        return [_join(form) for form in forms if len("".join(form)) > 1 or not form[0].isascii()]

    @cached_property
    def _given(self) -> re.Pattern[str] | None:
        forms = self._given_forms
        return _whole(f"(?:{'|'.join(forms)})", self._given_words) if forms else None

    @cached_property
    def _initial(self) -> re.Pattern[str]:
        """The first letter of the given name with a full stop, or as the whole text of an element, value or cell.

        Without these it may be a colour, a gender or a result. `t="s"` is the type of a cell of a workbook.
        """
        letter = re.escape(self._given_words[0][0])
        return re.compile(rf"""{START}{letter}\.|>\s*{letter}\s*<|(?<! t=)"{letter}"|'{letter}'|\[{letter}\]""")

    @cached_property
    def _together(self) -> re.Pattern[str]:
        """The family name and the given name side by side in either order, also as one word."""
        family, words = _join(self._family_words), self._family_words
        given = "|".join(self._given_forms)
        initials = self._initials
        forms = [rf"{family}{SEPARATOR}{initials}{END}", rf"{START}{initials}(?:\.{GAP}|[\W_]){family}"]
        forms += [rf"{family}{GAP}(?:{given})", rf"(?:{given}){GAP}{family}"] if given else []
        any_given = f"(?:{given}|{initials}{END})" if given else f"{initials}{END}"
        for moved in range(1, min(len(words), WORDS_MOVED_AT_MOST + 1)):
            forms.append(SEPARATOR.join((_join(words[moved:]), any_given, _join(words[:moved]))))
        return _whole(f"(?:{'|'.join(forms)})", [*self._family_words, *self._given_words])

    @property
    def _initials(self) -> str:
        """Pattern of the first letters of the given name; of one that is stored as an initial, any longer name."""
        first, *others = self._given_words
        if len(first) == 1 and first.isascii():
            return rf"{re.escape(first)}[^\W_]*"
        later = "".join(rf"(?:[\W_]{{0,3}}{re.escape(word[0])}" for word in others)
        return re.escape(first[0]) + later + ")?" * len(others)


def _list_words(name: str) -> list[str]:
    return [SECOND_LETTER.sub("", word) for word in WORD.findall(fold(name))]


def _join(words: Sequence[str]) -> str:
    """Return a pattern of words in this order, with anything or nothing but letters and digits between them."""
    apart, joined = GAP.join(map(re.escape, words)), re.escape(SECOND_LETTER.sub("", "".join(words)))
    return f"(?:{apart}|{joined})"


def _whole(pattern: str, words: Sequence[str]) -> re.Pattern[str]:
    """Compile a pattern that matches no part of a word, except in scripts without spaces between words."""
    name = "".join(words)
    return re.compile(pattern if not name.isascii() and len(name) > 1 else f"{START}{pattern}{END}")


def _find_line(text: str, position: int) -> tuple[int, int]:
    end = text.find("\n", position)
    return text.rfind("\n", 0, position) + 1, len(text) if end < 0 else end
