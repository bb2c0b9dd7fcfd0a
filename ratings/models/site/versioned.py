"""Optimistic locking: a version on each row, so that two users do not overwrite each other's changes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, TypeVar

from django.db import models
from django.db.models import F
from django.db.models.signals import m2m_changed
from django.utils.translation import gettext_lazy as _

M_co = TypeVar("M_co", bound=models.Model, covariant=True)


class VersionedQuerySet(models.QuerySet[M_co]):
    """Query set whose `update` increases the version, unless it sets `unversioned_fields` only."""

    def update(self, **values: Any) -> int:
        if "version" not in values and set(values) - set(getattr(self.model, "unversioned_fields", ())):
            values["version"] = F("version") + 1
        return super().update(**values)


class Versioned(models.Model):
    """A row with a version that increases with every change by a user; forms compare it.

    The portal itself writes `unversioned_fields`. They do not change the version, and `save` writes them only if
    `update_fields` contains them, so that a form never restores an old value.
    """

    unversioned_fields: ClassVar[Collection[str]] = ()

    version = models.PositiveIntegerField(_("version"), default=1, editable=False)

    objects = VersionedQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding or kwargs.get("force_insert"):
            super().save(*args, **kwargs)
            return
        fields = kwargs.get("update_fields")
        if fields is None:
            own = {field.name for field in self._meta.concrete_fields if not field.primary_key}
            deferred = {
                field.name for field in self._meta.concrete_fields if field.attname in self.get_deferred_fields()
            }
            fields = own - deferred - set(self.unversioned_fields)
        elif not set(fields) - set(self.unversioned_fields):
            super().save(*args, **kwargs)
            return
        before = self.version
        self.version = F("version") + 1
        try:
            super().save(*args, **kwargs | {"update_fields": {*fields, "version"}})
        except BaseException:
            self.version = before
            raise
        self.refresh_from_db(fields=["version"])


def _count_related_change(
    sender: Any,  # noqa: ARG001 - sent by the signal
    instance: models.Model,
    action: str,
    *,
    reverse: bool,
    model: Any,
    pk_set: Any,
    **more: Any,  # noqa: ARG001 - sent by the signal
) -> None:
    """Increase the version of a row when one of its many-to-many fields changes."""
    if action not in {"post_add", "post_remove", "post_clear"} or (pk_set is not None and not pk_set):
        return
    if not reverse and isinstance(instance, Versioned):
        type(instance)._default_manager.filter(pk=instance.pk).update(version=F("version") + 1)
        instance.refresh_from_db(fields=["version"])
    elif reverse and issubclass(model, Versioned):
        model._default_manager.filter(pk__in=pk_set or ()).update(version=F("version") + 1)


m2m_changed.connect(_count_related_change, dispatch_uid="count_related_change")
