"""Screens of the public log: its checkpoints, the keys that sign them, and the logs of other sites."""

from __future__ import annotations

from django.contrib import admin

from ratings.admin.site.staff import ReadOnlyAdmin
from ratings.models import Checkpoint, LogKey, WitnessedLog


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin):
    """Screen of checkpoints: rating runs and published lists write them, and nobody changes them."""

    list_display = ["list", "number", "made_at", "run", "dated"]
    list_filter = ["list", "made_at"]
    list_select_related = ["list", "run__list", "dated__list"]
    fields = readonly_fields = ("list", "number", "made_at", "run", "dated", "tree", "text", "signatures")
    ordering = ["-made_at", "-pk"]


@admin.register(LogKey)
class LogKeyAdmin(ReadOnlyAdmin):
    """Screen of the public parts of the keys; commands create and change keys."""

    list_display = ["name", "public", "created_at"]
    fields = readonly_fields = ("name", "public", "change", "created_at")


@admin.register(WitnessedLog)
class WitnessedLogAdmin(ReadOnlyAdmin):
    """Screen of the logs of other sites that this site has cosigned."""

    list_display = ["log", "number", "seen_at"]
    search_fields = ["log"]
    fields = readonly_fields = ("log", "key", "number", "text_hash", "note", "seen_at")
