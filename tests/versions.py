"""The hidden field that forms send with the version of their row."""

from ratings.versioned_forms import VERSION_FIELD, opened_version


def opened(row, *fields, prefix=""):
    """The data of a form that was opened now."""
    row.refresh_from_db()
    return {f"{prefix}{VERSION_FIELD}": opened_version(row, fields)}
