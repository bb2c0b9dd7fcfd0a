"""A link of the second level of the navigation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A section: its name in the reader's language, its address, and whether the page belongs to it."""

    label: str
    address: str
    is_current: bool
