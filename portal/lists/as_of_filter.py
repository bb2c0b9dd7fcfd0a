"""Filter for the list of a past day, whose rows are computed from the changes until then."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np

from ratings.models import Player, RatingList
from ratings.queries.lists.choices import Choices, PublicGroups
from ratings.queries.lists.past import Rows, by_rating, past_rows, ranks_among
from ratings.queries.lists.ranks import Ranks

from .filters import UNMARKED, StandingFilter


class AsOfFilter(StandingFilter):
    """Filter for the rows of a past day: the database filters by player, NumPy by grade, category and games."""

    player_prefix = ""
    player_filters = frozenset({"q", "country", "club", "age", "gender"})

    class Meta:
        model = Player
        fields = ()

    def __init__(self, data: Any, rating_list: RatingList, day: dt.date) -> None:
        super().__init__(data, rating_list, day, Player.objects.all())
        del self.filters["new"]
        self.rows = past_rows(rating_list, day)
        if self.active_on:
            self.rows = self.rows[self.rows["active"]]
        if "country" in self.filters:
            self.filters["country"].field_name = "country"
        for name in {"grade", "grade_to", "category", "games"} & set(self.filters):
            self.filters[name].method = "unfiltered"

    def groups_of(self, offered: Choices) -> PublicGroups:
        return offered.groups  # who was active on a past day is not known from today's standings

    @property
    def matching_rows(self) -> tuple[Rows, Ranks]:
        """Matching rows, highest rating first, and the ranks among all rows."""
        rows, values = self.rows, self.values
        matches = np.full(len(rows), not self.unknown_values)
        if self.player_filters & set(values):
            matches &= np.isin(rows["player"], np.fromiter(self.qs.values_list("pk", flat=True), dtype=np.int64))
        if "grade" in values or "grade_to" in values:
            low, high = self.grade_span
            matches &= (rows["grade"] >= low) & (rows["grade"] <= high)
        if "category" in values:
            marked = [key.encode() for key in self.system.presentation.legend]
            category = values["category"]
            matches &= (
                ~np.isin(rows["category"], marked) if category == UNMARKED else rows["category"] == category.encode()
            )
        matches &= rows["games"] >= values.get("games", 0)
        return by_rating(rows[matches]), ranks_among(rows)
