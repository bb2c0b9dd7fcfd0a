"""The error of backups and restores."""

from __future__ import annotations

from django.core.management.base import CommandError


class BackupError(CommandError):
    """A backup cannot be made or restored; the message says why, and what to do. It ends the command."""
