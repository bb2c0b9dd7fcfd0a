from __future__ import annotations

from typing import Any

from django.db import models

from ratings.matching import fold


class Searchable(models.Model):
    """A row that can be found by parts of its name: every save sets `search_name` (see `folded_name`)."""

    search_name = models.TextField(editable=False, default="")

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_name = folded_name(self)
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = {*kwargs["update_fields"], "search_name"}
        super().save(*args, **kwargs)

    @property
    def searched(self) -> str:
        """Text by which the row can be found."""
        raise NotImplementedError  # a model cannot be a Python ABC


def folded_name(row: Searchable) -> str:
    """Return the value of `search_name`; code that writes rows in bulk must set it itself."""
    return fold(row.searched)
