"""What goes out of the portal as files, and players and clubs that come in."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from import_export.fields import Field
from import_export.resources import ModelResource
from import_export.widgets import ManyToManyWidget, NumberWidget

from ratings.domain.outside import save_player
from ratings.models import (
    Adjustment,
    Award,
    Club,
    DatedList,
    Decision,
    Event,
    ListPlayer,
    Membership,
    Player,
    RatingList,
    Report,
    Standing,
)

from .cells import Day, PlainDiff, Whole, YesNo, guarded, unguarded


def told(attribute: str, column: str) -> Field:
    """A column that names another object as everybody knows it."""
    return Field(attribute, column, readonly=True)


class Exported(ModelResource):
    def export_field(self, field: Any, instance: Any, **kwargs: Any) -> Any:
        value = super().export_field(field, instance, **kwargs)
        return value if isinstance(field.widget, NumberWidget) else guarded(value)


class Imported(Exported):
    """Rows with a public id change what has it, rows without make something new; any problem is told by row."""

    public_id = told("public_id", "public_id")

    class Meta:
        import_id_fields = ("public_id",)
        clean_model_instances = True
        skip_unchanged = True

    @classmethod
    def get_diff_class(cls) -> type[PlainDiff]:
        return PlainDiff

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        headers = dataset.headers or []
        known = [field.column_name for field in self.get_import_fields()]
        unknown = [str(header) for header in headers if header and header not in known]
        if unknown or not headers:
            dataset.wipe()  # a column that is not read would look as if it had been
            told = {"unknown": ", ".join(unknown) or "–", "known": ", ".join(known)}
            raise ValueError(_("There are no such columns: %(unknown)s. The columns may be: %(known)s.") % told)
        if "public_id" not in headers:
            dataset.append_col([""] * len(dataset), header="public_id")

    def before_import_row(self, row: Any, **kwargs: Any) -> None:
        for column, value in row.items():
            row[column] = unguarded(value)
        row["public_id"] = str(row["public_id"] or "").strip()

    def after_init_instance(self, instance: Any, new: bool, row: Any, **kwargs: Any) -> None:
        if new and row["public_id"]:
            told = _("Nobody and nothing here has this id. Leave the cell empty to enter somebody or something new.")
            raise ValidationError({"public_id": told})


class PlayerResource(Imported):
    birth_date = Field("birth_date", "birth_date", widget=Day())
    birth_year = Field("birth_year", "birth_year", widget=Whole())
    birth_public = Field("birth_public", "birth_public", widget=YesNo(), default=False)
    merged_into = told("merged_into__public_id", "merged_into")

    class Meta:
        model = Player
        fields = (
            "public_id", "family_name", "given_name", "native_name", "country", "birth_date", "birth_year",
            "birth_public", "merged_into",
        )  # fmt: skip

    def filter_export(self, queryset: QuerySet[Player], **kwargs: Any) -> QuerySet[Player]:
        return queryset.select_related("merged_into")

    def do_instance_save(self, instance: Player, is_create: bool) -> None:
        save_player(instance)


class ClubResource(Imported):
    closed = Field("closed", "closed", widget=Day())

    class Meta:
        model = Club
        fields = ("public_id", "name", "city", "country", "website", "closed")


class EventResource(Exported):
    lists = Field("lists", "lists", widget=ManyToManyWidget(RatingList, separator=" ", field="slug"))

    class Meta:
        model = Event
        fields = (
            "public_id", "name", "place", "country", "start", "end", "organiser", "time_control", "mode", "link",
            "state", "lists",
        )  # fmt: skip

    def filter_export(self, queryset: QuerySet[Event], **kwargs: Any) -> QuerySet[Event]:
        return queryset.prefetch_related("lists")


class MembershipResource(Exported):
    player = told("player__public_id", "player")
    name = told("player__name", "name")
    club = told("club__name", "club")

    class Meta:
        model = Membership
        fields = ("player", "name", "club", "start", "end")


class OfListResource(Exported):
    """Rows of a list about a player."""

    list = told("list__slug", "list")
    player = told("player__public_id", "player")
    name = told("player__name", "name")


class ListPlayerResource(OfListResource):
    class Meta:
        model = ListPlayer
        fields = ("list", "player", "name", "prior_grade", "start_year", "member", "withdrawn", "fixed_rating")


class GivenResource(OfListResource):
    before = told("before", "before")
    made_by = told("made_by__username", "made_by")


class AdjustmentResource(GivenResource):
    class Meta:
        model = Adjustment
        fields = (
            "list", "player", "name", "date", "before", "set", "shift", "reason", "source", "made_by", "made_at",
        )  # fmt: skip


class DecisionResource(GivenResource):
    class Meta:
        model = Decision
        fields = (
            "list", "player", "name", "date", "before", "grade", "ruling", "reason", "source", "made_by", "made_at",
        )  # fmt: skip


class StandingResource(OfListResource):
    country = told("player__country", "country")

    class Meta:
        model = Standing
        fields = (
            "list", "player", "name", "country", "rating", "games", "grade", "waiting", "category", "published",
            "last_played",
        )  # fmt: skip


class AwardResource(OfListResource):
    table = told("table", "table")

    class Meta:
        model = Award
        fields = ("list", "player", "name", "day", "grade", "how", "needs_approval", "table")


class ReportResource(Exported):
    """Without the mail addresses, which are for the answer alone."""

    event = told("event__public_id", "event")
    player = told("player__public_id", "player")
    answered_by = told("answered_by__username", "answered_by")

    class Meta:
        model = Report
        fields = ("public_id", "event", "player", "text", "at", "state", "answer", "answered_by", "answered_at")


class DatedListResource(Exported):
    list = told("list__slug", "list")
    published_by = told("published_by__username", "published_by")

    class Meta:
        model = DatedList
        fields = ("list", "day", "published_at", "published_by", "revised_at")
