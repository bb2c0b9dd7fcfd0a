from __future__ import annotations

from django.db import models

from .lists import RatingList


class ListStatistics(models.Model):
    """Cached figures of a list's statistics page at one revision of the list; recomputed automatically."""

    list = models.OneToOneField(RatingList, models.CASCADE, related_name="statistics")
    revision = models.PositiveBigIntegerField()
    computed_at = models.DateTimeField()
    figures = models.JSONField()

    class Meta:
        verbose_name_plural = "list statistics"

    def __str__(self) -> str:
        return f"{self.list} {self.computed_at:%Y-%m-%d %H:%M}"
