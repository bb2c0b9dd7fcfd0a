"""Errors that a damaged or unusual zip archive can raise when it is opened or read."""

from __future__ import annotations

import zipfile
import zlib

ZIP_ERRORS: tuple[type[Exception], ...] = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,  # a method of compression that Python does not have
    OSError,
    RuntimeError,  # a member with a password
    ValueError,
)
