"""Model fields for messages that are stored as a code and values, or as the text that a person typed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.db import models

from ratings.systems.messages import decode_message, encode_message, message_from_json, message_to_json


class MessageField(models.TextField[str, str]):
    """Text that is a `Message` (stored as its code and values) or a text that a person typed (stored as it is).

    `max_length` limits what a person may type. Raise TypeError when a message without a code is saved.
    """

    def from_db_value(self, value: str | None, *_arguments: object) -> str | None:
        return value if value is None else decode_message(value)

    def get_prep_value(self, value: Any) -> Any:
        return encode_message(value) if isinstance(value, str) else super().get_prep_value(value)

    def value_to_string(self, obj: models.Model) -> str:
        return encode_message(self.value_from_object(obj))

    def to_python(self, value: Any) -> Any:
        return decode_message(value) if isinstance(value, str) else super().to_python(value)

    def save_form_data(self, instance: models.Model, data: Any) -> None:
        """Set the typed text, except if it is the English text of the present message."""
        if data != getattr(instance, self.attname):
            super().save_form_data(instance, data)

    def formfield(self, **options: Any) -> forms.Field | None:
        return super().formfield(**{"widget": forms.TextInput if self.max_length else forms.Textarea, **options})


class MessagesField(models.TextField[Iterable[str], tuple[str, ...]]):
    """Tuple of messages and typed texts, stored as a JSON list; the empty tuple is stored as an empty text."""

    def from_db_value(self, value: str | None, *_arguments: object) -> tuple[str, ...]:
        return () if value is None else decode_messages(value)  # None: of an outer join without a row

    def get_prep_value(self, value: Any) -> str:
        return encode_messages(value)

    def value_to_string(self, obj: models.Model) -> str:
        return encode_messages(self.value_from_object(obj))

    def to_python(self, value: Any) -> tuple[str, ...]:
        return decode_messages(value) if isinstance(value, str) else tuple(value or ())


def encode_messages(texts: Iterable[str]) -> str:
    """Return the stored form of messages and typed texts; raise TypeError for a message without a code."""
    content = [message_to_json(text) for text in texts]
    return json.dumps(content, ensure_ascii=False, sort_keys=True) if content else ""


def decode_messages(stored: str) -> tuple[str, ...]:
    """Return the messages and typed texts of a stored list; a text that is no list is returned as its lines."""
    try:
        content = json.loads(stored) if stored.startswith("[") else stored.splitlines()
    except ValueError:
        content = stored.splitlines()
    return tuple(message_from_json(item) for item in content)
