"""Resources of exported records, and of imported players and clubs."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from import_export.fields import Field
from import_export.resources import ModelResource
from import_export.widgets import ForeignKeyWidget, ManyToManyWidget, NumberWidget

from ratings.characters import without_control_characters
from ratings.domain.lists.adjustments import save_player
from ratings.domain.players.outside_ids import replace_outside_ids
from ratings.formats.formulas import guard_formula, unguard_formula
from ratings.formats.people.columns import OUTSIDE_IDS, find_column
from ratings.formats.people.outside_ids import NATIONAL
from ratings.localize import join_parts
from ratings.matching import fold
from ratings.models import (
    Adjustment,
    Award,
    Club,
    DatedList,
    Decision,
    Event,
    Federation,
    FederationMembership,
    ListPlayer,
    Membership,
    Player,
    RatingList,
    Report,
    Standing,
)
from ratings.queries.players.candidate_questions import ask_similar

from .outside_id_fields import OutsideIdsField, get_imported_ids, note_stored_ids, read_stored_ids
from .widgets import DayWidget, GenderWidget, PlainDiff, WholeNumberWidget, YesNoWidget


def readonly_field(attribute: str, column: str) -> Field:
    """Return a read-only column with an attribute of a related object, such as its public id, slug or name."""
    return Field(attribute, column, readonly=True)


class ExportResource(ModelResource):
    def export_field(self, field: Any, instance: Any, **kwargs: Any) -> Any:
        value = super().export_field(field, instance, **kwargs)
        if isinstance(value, str):  # old names may have characters that are not allowed in workbooks
            value = without_control_characters(value)
        return value if isinstance(field.widget, NumberWidget) else guard_formula(value)


class ImportResource(ExportResource):
    """Resource whose rows change the object with their public id, or create one without; errors are listed by row."""

    public_id = readonly_field("public_id", "public_id")

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
            dataset.wipe()  # an ignored column would look like an imported one
            params = {"unknown": join_parts(unknown) or "–", "known": join_parts(known)}
            raise ValueError(_("Unknown columns: %(unknown)s. Expected only: %(known)s.") % params)
        if "public_id" not in headers:
            dataset.append_col([""] * len(dataset), header="public_id")

    def before_import_row(self, row: Any, **kwargs: Any) -> None:
        for column, value in row.items():
            row[column] = unguard_formula(value)
        row["public_id"] = str(row["public_id"] or "").strip()

    def after_init_instance(self, instance: Any, new: bool, row: Any, **kwargs: Any) -> None:
        if new and row["public_id"]:
            text = _("Unknown id. Leave the cell empty to add a new row.")
            raise ValidationError({"public_id": text})


FIELDS_OF_COLUMNS = {"id": "public_id", "family": "family_name", "given": "given_name"}
"""Fields of a player that have another name than the column in files about people."""


class PlayerResource(ImportResource):
    """Players with their ids in other registries."""

    egd, fide, aga = OutsideIdsField("egd"), OutsideIdsField("fide"), OutsideIdsField("aga")
    uscf, rif, fesa = OutsideIdsField("uscf"), OutsideIdsField("rif"), OutsideIdsField("fesa")
    national = OutsideIdsField(NATIONAL)
    birth_date = Field("birth_date", "birth_date", widget=DayWidget())
    birth_year = Field("birth_year", "birth_year", widget=WholeNumberWidget())
    birth_public = Field("birth_public", "birth_public", widget=YesNoWidget(), default=False)
    gender = Field("gender", "gender", widget=GenderWidget())
    gender_public = Field("gender_public", "gender_public", widget=YesNoWidget(), default=False)
    merged_into = readonly_field("merged_into__public_id", "merged_into")

    class Meta:
        model = Player
        fields = (
            "public_id",
            "family_name",
            "given_name",
            "native_name",
            "country",
            "birth_date",
            "birth_year",
            "birth_public",
            "gender",
            "gender_public",
            "merged_into",
            *OUTSIDE_IDS,
            NATIONAL,
        )

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        """Read the titles of columns as in all files about people: “Last name” is the field family_name."""
        dataset.headers = [title and self.find_field(str(title)) for title in dataset.headers or []]
        super().before_import(dataset, **kwargs)
        self.stored_ids = read_stored_ids(str(id or "").strip() for id in dataset["public_id"])

    def after_init_instance(self, instance: Player, new: bool, row: Any, **kwargs: Any) -> None:
        super().after_init_instance(instance, new, row, **kwargs)
        note_stored_ids(instance, self.stored_ids.get(row["public_id"], {}))

    def find_field(self, title: str) -> str:
        column = find_column(title) or title
        field = FIELDS_OF_COLUMNS.get(column, column)
        return field if field in self.fields else title

    def filter_export(self, queryset: QuerySet[Player], **kwargs: Any) -> QuerySet[Player]:
        return queryset.select_related("merged_into").prefetch_related("outside_ids")

    def import_instance(self, instance: Player, row: Any, **kwargs: Any) -> None:
        """Import a row; raise ValidationError if it changes the visibility.

        Visibility is changed by players themselves, or by an action of officers, so that no old file undoes their
        choice.
        """
        before = {name: getattr(instance, name) for name in ("birth_public", "gender_public")}
        super().import_instance(instance, row, **kwargs)
        changed = [name for name, value in before.items() if getattr(instance, name) != value]
        if instance.pk is None or not changed:
            return
        for name in changed:
            setattr(instance, name, before[name])
        text = _("An import cannot change what is public of a player: use the actions of the player list.")
        raise ValidationError(dict.fromkeys(changed, text))

    def do_instance_save(self, instance: Player, is_create: bool) -> None:
        save_player(instance)
        replace_outside_ids(instance, get_imported_ids(instance))


class ClubResource(ImportResource):
    closed = Field("closed", "closed", widget=DayWidget())

    class Meta:
        model = Club
        fields = ("public_id", "name", "city", "country", "website", "closed")


class EventResource(ExportResource):
    lists = Field("lists", "lists", widget=ManyToManyWidget(RatingList, separator=" ", field="slug"))

    class Meta:
        model = Event
        fields = (
            "public_id",
            "name",
            "place",
            "address",
            "country",
            "start",
            "end",
            "start_time",
            "organiser",
            "time_control",
            "tie_breaks",
            "mode",
            "schedule",
            "contact",
            "registration",
            "link",
            "state",
            "lists",
        )

    def filter_export(self, queryset: QuerySet[Event], **kwargs: Any) -> QuerySet[Event]:
        return queryset.prefetch_related("lists")


class MembershipResource(ExportResource):
    player = readonly_field("player__public_id", "player")
    name = readonly_field("player__name", "name")
    club = readonly_field("club__name", "club")

    class Meta:
        model = Membership
        fields = ("player", "name", "club", "start", "end")


class FederationMembershipResource(ExportResource):
    """Memberships of federations: a row sets the day of the player with an id, or with a name that only they have.

    The column `in_federation` is only needed if the portal has several federations.
    """

    in_federation = Field("federation", "in_federation", widget=ForeignKeyWidget(Federation, "slug"))
    player = Field("player", "player", widget=ForeignKeyWidget(Player, "public_id"))
    name = readonly_field("player__name", "name")
    until = Field("until", "until", widget=DayWidget())

    class Meta:
        model = FederationMembership
        fields = ("in_federation", "player", "name", "until")
        import_id_fields = ("in_federation", "player")
        clean_model_instances = True
        skip_unchanged = True

    @classmethod
    def get_diff_class(cls) -> type[PlainDiff]:
        return PlainDiff

    def filter_export(self, queryset: QuerySet[FederationMembership], **kwargs: Any) -> QuerySet[FederationMembership]:
        return queryset.select_related("federation", "player")

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        """Read the titles as in all files about people, and complete the columns that identify a membership."""
        titles = [str(title or "").strip() for title in dataset.headers or []]
        headers = [
            title if title in MEMBERSHIP_COLUMNS else FIELDS_OF_MEMBERSHIPS.get(find_column(title) or "", title)
            for title in titles
        ]
        unknown = [title for title in headers if title and title not in MEMBERSHIP_COLUMNS]
        if unknown or "until" not in headers or not {"player", "family_name"} & {*headers}:
            dataset.wipe()  # an ignored column would look like an imported one
            known = ["ID", "Last name", "First name", "Member until", "in_federation"]
            params = {"unknown": join_parts(unknown) or "–", "known": join_parts(known)}
            raise ValueError(_("Unknown columns: %(unknown)s. Expected only: %(known)s.") % params)
        dataset.headers = headers
        for column in ("player", "in_federation"):
            if column not in headers:
                dataset.append_col([""] * len(dataset), header=column)
        slugs = list(Federation.objects.values_list("slug", flat=True)[:2])
        self.only_federation = slugs[0] if len(slugs) == 1 else ""

    def before_import_row(self, row: Any, **kwargs: Any) -> None:
        for column, value in row.items():
            row[column] = unguard_formula(value)
        row["in_federation"] = str(row["in_federation"] or "").strip() or self.only_federation
        if not row["in_federation"]:
            raise ValueError(_("Enter the short name of the federation in the column in_federation."))
        family, given = (" ".join(str(row.get(name) or "").split()) for name in ("family_name", "given_name"))
        row["player"] = find_player(str(row["player"] or "").strip(), family, given).public_id


FIELDS_OF_MEMBERSHIPS = {"id": "player", "member_until": "until", "family": "family_name", "given": "given_name"}
MEMBERSHIP_COLUMNS = ("in_federation", "player", "name", "family_name", "given_name", "until")


def find_player(public_id: str, family: str, given: str) -> Player:
    """Return the player with an id or, without one, with a name; raise ValueError if it is not exactly one."""
    if not (public_id or family):
        raise ValueError(_("Enter the id or the last name of the player."))
    players = Player.objects.filter(merged_into=None)
    name = fold(family), fold(given)
    if public_id:
        found = list(players.filter(public_id=public_id))
    else:
        near = players.filter(search_name__startswith=fold(f"{family} {given}"))
        found = [player for player in near if _fold_name(player) == name]
    if not found:
        asked = ask_similar(f"{family} {given}".strip()) if family else ""
        raise ValueError(" ".join(filter(None, [_("No player has this id or name."), asked])))
    if len(found) > 1:
        asked = ask_similar(found[0].name, players=found)
        raise ValueError(" ".join([_("Several players have this name: add the id."), asked]))
    if family and _fold_name(found[0]) != name:
        raise ValueError(_("The id is that of %(player)s.") % {"player": found[0].name})
    return found[0]


def _fold_name(player: Player) -> tuple[str, str]:
    return fold(player.family_name), fold(player.given_name)


class ListRowResource(ExportResource):
    """Resource of rows that belong to a list and a player."""

    list = readonly_field("list__slug", "list")
    player = readonly_field("player__public_id", "player")
    name = readonly_field("player__name", "name")


class ListPlayerResource(ListRowResource):
    class Meta:
        model = ListPlayer
        fields = (
            *("list", "player", "name", "prior_grade", "start_year", "member", "withdrawn"),
            *("fixed_rating", "fixed_deviation"),
        )


class OfficerInputResource(ListRowResource):
    before = readonly_field("before", "before")
    made_by = readonly_field("made_by__username", "made_by")


class AdjustmentResource(OfficerInputResource):
    class Meta:
        model = Adjustment
        fields = (
            "list",
            "player",
            "name",
            "date",
            "before",
            "set",
            "shift",
            "reason",
            "source",
            "made_by",
            "made_at",
        )


class DecisionResource(OfficerInputResource):
    class Meta:
        model = Decision
        fields = (
            "list",
            "player",
            "name",
            "date",
            "before",
            "grade",
            "ruling",
            "reason",
            "source",
            "made_by",
            "made_at",
        )


class StandingResource(ListRowResource):
    country = readonly_field("player__country", "country")

    class Meta:
        model = Standing
        fields = (
            "list",
            "player",
            "name",
            "country",
            "rating",
            "games",
            "grade",
            "waiting",
            "category",
            "published",
            "last_played",
        )


class AwardResource(ListRowResource):
    table = readonly_field("table", "table")

    class Meta:
        model = Award
        fields = ("list", "player", "name", "day", "grade", "how", "needs_approval", "table")


class ReportResource(ExportResource):
    """Resource of reports, without the mail addresses, which serve for the answer only."""

    event = readonly_field("event__public_id", "event")
    player = readonly_field("player__public_id", "player")
    answered_by = readonly_field("answered_by__username", "answered_by")

    class Meta:
        model = Report
        fields = ("public_id", "event", "player", "text", "at", "state", "answer", "answered_by", "answered_at")


class DatedListResource(ExportResource):
    list = readonly_field("list__slug", "list")
    published_by = readonly_field("published_by__username", "published_by")

    class Meta:
        model = DatedList
        fields = ("list", "day", "published_at", "published_by", "revised_at")
