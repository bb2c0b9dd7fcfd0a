from __future__ import annotations

from django.db import models

from .lists import RatingList


class ListStatistics(models.Model):
    """The figures of a list's page of statistics, as they were at a revision; derived, made again by themselves."""

    list = models.OneToOneField(RatingList, models.CASCADE, related_name="statistics")
    revision = models.PositiveBigIntegerField()
    computed_at = models.DateTimeField()
    figures = models.JSONField()

    class Meta:
        verbose_name_plural = "list statistics"

    def __str__(self) -> str:
        return f"{self.list} {self.computed_at:%Y-%m-%d %H:%M}"
