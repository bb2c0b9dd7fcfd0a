from __future__ import annotations

from typing import Any

from django.db import models

from ratings.matching import fold


class Searchable(models.Model):
    """What is found by parts of its name: `search_name` is written with every save (see `folded_name`)."""

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
        """All that it is found by."""
        raise NotImplementedError  # a model cannot be an abstract class of Python


def folded_name(row: Searchable) -> str:
    """What `search_name` is; whoever writes rows in bulk sets it himself."""
    return fold(row.searched)
