"""The error of backups and restores."""

from __future__ import annotations


class BackupError(Exception):
    """A backup cannot be made or restored; the message says why, and what to do."""
