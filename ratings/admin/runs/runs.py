from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ratings.access import Action, is_officer, may
from ratings.domain.rerating import cancel_run
from ratings.models import Player, Run

from .derived import DerivedAdmin

SHORT = 60  # characters of a reason in the list of runs
LOOK_AGAIN = 2  # seconds until the page of a run that goes on is shown anew


@admin.register(Run)
class RunAdmin(DerivedAdmin):
    """Rating runs can be watched and cancelled, and are made by the portal alone."""

    list_display = ["asked_at", "list", "state", "progress", "visited", "players_changed", "why", "asked_by"]
    list_filter = ["list", "state"]
    search_fields = ["reason", "error"]
    list_select_related = ["list", "asked_by"]
    actions = ["cancel"]
    readonly_fields = (
        "list", "state", "progress", "visited", "skipped", "players_changed", "reason", "asked_by", "since", "asked_at",
        "started_at", "ended_at", "error", "biggest_changes", "changes_by_size", "grades_moved",
    )  # fmt: skip
    fields = readonly_fields

    @admin.display(description=_("reason"))
    def why(self, run: Run) -> str:
        return Truncator(run.reason).chars(SHORT)

    @admin.display(description=_("tables done"))
    def progress(self, run: Run) -> str:
        return gettext("%(done)d of %(to_do)d") % {"done": run.done, "to_do": run.to_do} if run.to_do else "–"

    @admin.display(description=_("biggest changes"))
    def biggest_changes(self, run: Run) -> SafeString | str:
        return named_rows(run.biggest, "{}: {} → {}")

    @admin.display(description=_("grades that come or go"))
    def grades_moved(self, run: Run) -> SafeString | str:
        return named_rows(run.grades, "{}: {} → {}")

    @admin.display(description=_("changes by size"))
    def changes_by_size(self, run: Run) -> SafeString | str:
        rows = [(shown(low), shown(high), count) for low, high, count in run.histogram if count]
        return format_html_join("", "<div>{} … {}: {}</div>", rows) or "–"

    @admin.action(description=_("Cancel the chosen runs"))
    def cancel(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        own = [run for run in queryset.select_related("list") if may(request.user, Action.KEEP_LIST, run)]
        stopped = sum(cancel_run(run) for run in own)
        told = ngettext("%d run will stop.", "%d runs will stop.", stopped) % stopped
        self.message_user(request, told, messages.SUCCESS if stopped else messages.WARNING)

    def get_actions(self, request: HttpRequest) -> Any:
        return super().get_actions(request) if is_officer(request.user) else {}

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return _look_again(super().changeform_view(request, *args, **kwargs))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return _look_again(super().changelist_view(request, extra_context))


def _look_again(response: HttpResponse) -> HttpResponse:
    """While a run goes on, its page follows it, without any script."""
    if Run.objects.filter(state=Run.State.RUNNING).exists():
        response["Refresh"] = str(LOOK_AGAIN)
    return response


def named_rows(rows: list[list[Any]], pattern: str) -> SafeString | str:
    names = {player.public_id: player.name for player in Player.objects.filter(public_id__in=[row[0] for row in rows])}
    several = [(names.get(id, id), shown(before), shown(after)) for id, before, after in rows]
    return format_html_join("", f"<div>{pattern}</div>", several) or "–"


def shown(value: Any) -> str:
    return "–" if value in (None, "") else f"{value:g}" if isinstance(value, int | float) else str(value)
