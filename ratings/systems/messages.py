"""Translatable messages of the code that does not depend on Django.

A message is data: a code and values. Code compares codes, never texts; `ratings.localize` shows a message in the
reader's language; `encode_message` and `decode_message` are its stored form.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, Self, TypeGuard


class Message(str):
    """English message that keeps its code, pattern and values, so that `ratings.localize` can translate it.

    Import the class as `_` for texts that are displayed only, such as the rules of a system, so that they are collected
    for translators:

        _("{count} games are not rated", count=3)

    Messages that are stored or compared have a code: they are made by a member of a `MessageCode`. Values that are
    messages are translated too, lists are enumerated and decimals written as the reader's language does; whole numbers
    and texts are inserted as they are. Otherwise the message is an ordinary string, the English text.
    """

    __slots__ = ("code", "pattern", "values")
    code: str
    pattern: str
    values: dict[str, Any]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        plain_values = {name: _plain_value(value) for name, value in values.items()}
        texts = {name: _join_list(value) for name, value in plain_values.items()}
        message = super().__new__(cls, pattern.format(**texts) if texts else pattern)
        message.code, message.pattern, message.values = "", pattern, plain_values
        return message

    def __reduce__(self) -> tuple[Callable[..., Message], tuple[str, str, dict[str, Any]]]:
        return _restore, (self.code, self.pattern, self.values)

    def change_texts(self, change: Callable[[str], str]) -> Message:
        """Return the message with each value that is a text replaced by `change(text)`."""
        values = {name: _change_value(value, change) for name, value in self.values.items()}
        return _restore(self.code, self.pattern, values)

    def join_lists(self) -> Message:
        """Return the message with each list replaced by its English enumeration."""
        return _restore(self.code, self.pattern, {name: _join_list(value) for name, value in self.values.items()})


def _change_value(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, Message):
        return value.change_texts(change)
    if isinstance(value, list):
        return [_change_value(each, change) for each in value]
    return change(value) if isinstance(value, str) else value


def _join_list(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _plain_value(value: object) -> object:
    """Return a value that JSON can hold: an error becomes its message, an object its text."""
    if isinstance(value, BaseException):
        value = message_of(value)
    if isinstance(value, list | tuple):
        return [_plain_value(each) for each in value]
    if isinstance(value, Message | bool | int | float | None):
        return value
    return str(value)


def _restore(code: str, pattern: str, values: Mapping[str, Any]) -> Message:
    message = Message(pattern, **values)
    message.code = code
    return message


class MessageCode(Enum):
    """Base class of enums of messages: a member's name is the code, its value the English pattern.

    Call a member with the values to make a message: `FileProblem.TOO_MANY_ROWS(rows=2000, most=1000)`. A subclass has a
    `namespace`, unique among all subclasses, with which its codes begin. Codes are stored: never rename one without a
    migration; patterns may be reworded at any time.
    """

    def __init_subclass__(cls, *, namespace: str, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        known = CODES_BY_NAMESPACE.setdefault(namespace, cls)
        if known.__qualname__ != cls.__qualname__:
            raise TypeError(f"The namespace {namespace!r} is used by {known.__qualname__} and {cls.__qualname__}.")
        NAMESPACES[cls] = namespace

    @property
    def code(self) -> str:
        return f"{NAMESPACES[type(self)]}.{self.name.lower()}"

    def __call__(self, **values: object) -> Message:
        """Return the message with these values."""
        message = Message(self.value, **values)
        message.code = self.code
        return message


CODES_BY_NAMESPACE: dict[str, type[MessageCode]] = {}
NAMESPACES: dict[type[MessageCode], str] = {}


_ = Message


class RatingMessage(MessageCode, namespace="rating"):
    """Messages of all rating systems: notes on rows, and errors of tables, decisions and states."""

    FIXED_OUTSIDER = _("fixed outsider")
    NOT_A_RATED_TABLE = _("these results are not rated")
    NO_RATED_GAME = _("no rated game")
    OUTSIDER_WITHOUT_RATING = _("{id} is a fixed outsider without a rating")
    FIXED_PLAYER_WITHOUT_RATING = _("a fixed player needs a rating")
    TABLE_NOT_RATABLE = _("table {table} of {day}: {error}")
    DECISION_INVALID = _("decision of {day} for player {player}: {error}")
    ADJUSTMENT_INVALID = _("adjustment of {day} for player {player}: {error}")
    OPENING_INVALID = _("opening of player {player}: {error}")
    CLOSING_FAILED = _("list day {day}: {error}")
    GAMES_WITHOUT_RATING = _("games without a rating")
    KEY_INVALID = _("{key} is not one of {keys}")
    VALUE_INVALID = _("invalid {key}: {value}")
    UNEXPECTED = _("failed unexpectedly; the administrators find the reason in the log")
    PREDICTS_NO_GAME = _("predicts no game: no two players of a game ever have ratings")


class AwardMessage(MessageCode, namespace="award"):
    """Ways in which a grade is won or lost; the names are those of `AwardHow`."""

    UPPER_BOUND = _("rating passed the grade above")
    GAMES_ABOVE_MP = _("held the middle of the grade for enough games")
    GAMES_ABOVE_LB = _("held the rating for enough games")
    PROVISIONAL = _("early results well above the grade")
    BOUND_TO_GET_IT = _("could no longer miss it")
    ABOVE_BAND = _("rating rose above the grade before")
    DEMOTION = _("demotion")
    PRINTED = _("printed")
    GIVEN = _("given")
    KEPT = _("kept")
    WITHHELD = _("withheld")
    APPROVED = _("approved")
    DECLINED = _("declined")


def find_code(code: str) -> MessageCode | None:
    """Return the member with a code such as "file.file_empty"; None if there is none."""
    namespace, _dot, name = code.partition(".")
    codes = CODES_BY_NAMESPACE.get(namespace)
    return codes.__members__.get(name.upper()) if codes else None


def has_code(text: str, *members: MessageCode) -> TypeGuard[Message]:
    """Return True if a text is a message made by one of these members of a `MessageCode`."""
    return isinstance(text, Message) and text.code in [member.code for member in members]


def message_of(error: BaseException) -> str:
    """Return the message of an error, as a `Message` if it was raised with one."""
    return error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)


def storable_message(error: BaseException) -> str:
    """Return the message of an error if it has a code, so that it can be stored; else the English text."""
    message = message_of(error)
    return message if isinstance(message, Message) and message.code else str(message)


def shorten(text: str, length: int) -> str:
    """Return a typed text cut to a number of characters; a message is returned whole."""
    return text if isinstance(text, Message) else text[:length]


def limit_items(items: Sequence[str], most: int) -> list[str]:
    """Return the first items of an enumeration, followed by “…” if there are more than `most`."""
    return [*items[:most], *(["…"] if len(items) > most else [])]


def join_texts(texts: Iterable[str]) -> str:
    """Return the texts joined by semicolons; a single text, which may be a message, is returned as it is."""
    present = [text for text in texts if text]
    return present[0] if len(present) == 1 else "; ".join(present)


def encode_message(text: str) -> str:
    """Return the stored form of a message or of a text that a person typed.

    A message becomes the JSON object {"code": …, "values": {…}}; a typed text stays as it is, except one that begins
    with a brace, which becomes {"text": …}. Raise TypeError for a message without a code.
    """
    if isinstance(text, Message):
        return json.dumps(message_to_json(text), ensure_ascii=False, sort_keys=True)
    return json.dumps({"text": text}, ensure_ascii=False) if text.startswith("{") else text


def decode_message(stored: str) -> str:
    """Return the message or the typed text that `encode_message` stored."""
    return _decode_json(stored) if stored.startswith("{") else stored


@lru_cache(maxsize=1000)  # all rows of a step have the same few messages
def _decode_json(stored: str) -> str:
    try:
        content = json.loads(stored)
    except ValueError:
        return stored
    if isinstance(content, dict) and isinstance(content.get("text"), str):
        return str(content["text"])
    return message_from_json(content) if isinstance(content, dict) and "code" in content else stored


def message_to_json(text: str | list[Any]) -> Any:
    """Return a message as a JSON object, and a typed text as it is; raise TypeError for a message without a code."""
    if isinstance(text, list):
        return [message_to_json(each) for each in text]
    if not isinstance(text, Message):
        return text
    if not text.code:
        raise TypeError(f"A message without a code cannot be stored: {text!r}.")
    values = {name: message_to_json(value) for name, value in text.values.items()}
    return {"code": text.code, **({"values": values} if values else {})}


def message_from_json(content: Any) -> Any:
    """Return the message of a JSON object; any other value is returned as it is.

    A code that does not exist any more is shown with its values, untranslated.
    """
    if isinstance(content, list):
        return [message_from_json(each) for each in content]
    if not isinstance(content, dict):
        return content
    code = str(content.get("code", ""))
    values = {name: message_from_json(value) for name, value in content.get("values", {}).items()}
    known = find_code(code)
    try:
        return known(**values) if known else f"{code} {values or ''}".strip()
    except (KeyError, ValueError):  # the pattern has other values by now
        return f"{code} {values or ''}".strip()
