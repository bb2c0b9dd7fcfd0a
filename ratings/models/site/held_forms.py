"""Forms and files saved until their sender signs in again or confirms an import."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.crypto import get_random_string


def new_key() -> str:
    return get_random_string(32)


def no_fields() -> list[Any]:
    return []


class HeldForm(models.Model):
    """A form as submitted: `fields` are [name, value] pairs in order, `files` are HeldFile rows.

    A held form belongs to one user and one address, and is deleted when it is used, or after a day.
    """

    key = models.CharField(max_length=32, unique=True, default=new_key, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="held_forms")
    path = models.CharField(max_length=1000)
    fields = models.JSONField(default=no_fields)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["at"])]

    def __str__(self) -> str:
        return self.path


class HeldFile(models.Model):
    """A file of a held form."""

    form = models.ForeignKey(HeldForm, models.CASCADE, related_name="files")
    field = models.CharField(max_length=100)
    name = models.CharField(max_length=255)
    content_type = models.CharField(max_length=255, blank=True)
    data = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
