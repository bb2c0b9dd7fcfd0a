"""Translation of messages, categories and ways of winning grades into the reader's language.

What a person typed is never translated: only a `Message` and the fixed words of the rating systems are.
"""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

from ratings.systems.messages import AwardMessage, Message
from ratings.systems.values import AwardHow, Category

CATEGORY_LABELS = {
    Category.UNRATED: gettext_noop("unrated"),
    Category.UNGRADED: gettext_noop("ungraded"),
    Category.PROVISIONAL: gettext_noop("provisional"),
    Category.UNOFFICIAL: gettext_noop("unofficial"),
    Category.NEW: gettext_noop("new"),
    Category.RATED: gettext_noop("rated"),
    Category.GRADED: gettext_noop("graded"),
    Category.ESTABLISHED: gettext_noop("established"),
    Category.OFFICIAL: gettext_noop("official"),
    Category.INACTIVE: gettext_noop("inactive"),
    Category.FIXED: gettext_noop("fixed"),
}


def translate_message(text: str) -> str:
    """Return a message in the current language; a text that a person typed is returned as it is."""
    if not isinstance(text, Message):
        return text
    values = {
        name: translate_message(value) if isinstance(value, str) else value for name, value in text.values.items()
    }
    translation = gettext(text.pattern)
    return translation.format(**values) if values else translation


def category_label(category: str) -> str:
    """Return the name of a player category in the current language."""
    return gettext(CATEGORY_LABELS[Category(category)])


def award_message(how: str) -> Message:
    """Return the message of a way in which a grade was won or lost."""
    return AwardMessage[AwardHow(how).name]()


def award_label(how: str) -> str:
    """Return the way in which a grade was won or lost, in the current language."""
    return translate_message(award_message(how))
