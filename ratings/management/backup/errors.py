"""The error of backups and restores."""

from __future__ import annotations


class BackupError(Exception):
    """Error for a backup that cannot be made or restored; its message says why, and what to do."""
