"""The error of backups and restores."""

from __future__ import annotations

from django.core.management.base import CommandError


class BackupError(CommandError):
    """Error for a backup that cannot be made or restored; its message says why, and what to do. It ends the command."""
