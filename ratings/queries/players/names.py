"""Public names of players and their order, without revealing hidden names; the order of countries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from django.db.models import Case, F, Q, Value, When
from django.db.models.expressions import OrderBy

from ratings.matching import fold
from ratings.models import NameVisibility, Player
from ratings.systems.messages import Message


def by_public_name(to_player: str = "") -> list[OrderBy]:
    """Return the ordering of players by folded family and given name.

    Players whose name is not displayed in full come last, by their public id, which does not reveal the name.
    `to_player` is the lookup prefix that leads to the player, such as "player__".
    """
    full = Q(**{f"{to_player}shown": NameVisibility.FULL})
    name = Case(When(full, then=f"{to_player}search_name"))
    return [name.asc(nulls_last=True), F(f"{to_player}public_id").asc()]


def spellings(public_id: str) -> set[str]:
    """Return a public id as written, in upper case and in lower case, as a user may type it."""
    return {public_id, public_id.upper(), public_id.lower()}


def country_position(order: Sequence[str], field: str = "country") -> Case:
    """Return an expression to order by: the position of a country in `order`; other or unknown countries come last."""
    last = Value(len(order))
    positions = [When(**{field: code}, then=Value(position)) for position, code in enumerate(order)]
    # at least one condition, even without codes: a mere value cannot be ordered by
    return Case(*positions, When(**{field: ""}, then=last), default=last)


WORD = re.compile(r"[^\W_]+")
WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR")
"""Beginnings of the Unicode names of characters in scripts that do not separate the words of a name."""
LONGEST_PART = 24
"""Letters of the longest name that is looked for inside a word of such a script."""
SECOND_LETTER = re.compile("(?<=[aou])e|(?<=a)a")
"""Second letter of ae, oe, ue and aa, which some people write for ä, ö, ü and å."""
ID = re.compile(r"([A-Za-z0-9]+)(?:~\w+)?")


def replace_ids_with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text, or a message with its values, with each public id replaced by its name, if `names` has one.

    The public id of a guest is followed by `~` and the id of the table; both are replaced.
    """
    if isinstance(text, Message):
        return text.change_texts(lambda value: replace_ids_with_names(value, names))
    return ID.sub(lambda match: names.get(match[1], match[0]), text)


def put_public_names(texts: Sequence[str]) -> list[str]:
    """Return texts in the reader's language with the public name of each player in place of the public id."""
    ids = {public_id for text in texts for public_id in ID.findall(text)}
    players = Player.objects.filter(public_id__in=ids) if ids else []
    names = {player.public_id: player.public_name for player in players}
    return [replace_ids_with_names(text, names) for text in texts]


def read_hidden_words() -> set[str]:
    """Return the words of the names of all players whose name is not displayed in full, as `list_words` gives them."""
    hidden = Player.objects.exclude(shown=NameVisibility.FULL).values_list("search_name", flat=True)
    return {word for name in hidden.iterator() for word in list_words(name)}


def list_words(text: str) -> set[str]:
    """Return the folded words of a text; ae, oe, ue and aa become one letter, as ä, ö, ü and å do."""
    return {SECOND_LETTER.sub("", word) for word in WORD.findall(fold(text))}


def is_hidden_word(text: str, names: Container[str]) -> bool:
    """Return True if a word is one or two joined words of hidden names; `names` are from `read_hidden_words`."""
    return any(_is_hidden(word, names) for word in list_words(text))


def _is_hidden(word: str, names: Container[str]) -> bool:
    if word in names or any(word[:at] in names and word[at:] in names for at in range(3, len(word) - 2)):
        return True
    return is_of_script_without_spaces(word) and any(part in names for part in _list_parts(word))


def is_of_script_without_spaces(word: str) -> bool:
    """Return True if a word has characters of a script that does not separate the words of a name, such as Japanese."""
    return not word.isascii() and any(unicodedata.name(each, "").startswith(WITHOUT_SPACES) for each in word)


def _list_parts(word: str) -> Iterator[str]:
    for start in range(len(word)):
        for end in range(start + 1, min(start + LONGEST_PART, len(word)) + 1):
            yield word[start:end]


def contain_hidden_names(texts: Iterable[str]) -> bool:
    """Return True if a word in free texts is part of the name of a player whose name is not displayed in full."""
    words = list_words(" ".join(texts))
    if not words:
        return False
    names = read_hidden_words()
    return any(_is_hidden(word, names) for word in words)
