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
from ratings.domain.runs.rerating import cancel_run
from ratings.localize import join_clauses, translate_message
from ratings.models import Player, Run

from .derived import DerivedAdmin

SHORT = 60  # characters of a reason in the list of runs
RELOAD_SECONDS = 2  # seconds until the page reloads while a run goes on


@admin.register(Run)
class RunAdmin(DerivedAdmin):
    """Screen to watch and cancel rating runs; only the portal itself creates them."""

    list_display = ["asked_at", "list", "state", "progress", "visited", "players_changed", "why", "asked_by"]
    list_filter = ["list", "state"]
    search_fields = ["reasons", "error"]
    list_select_related = ["list", "asked_by"]
    actions = ["cancel"]
    readonly_fields = (
        "list", "state", "progress", "visited", "skipped", "players_changed", "all_reasons", "asked_by", "since",
        "asked_at", "started_at", "ended_at", "error", "biggest_changes", "changes_by_size", "grades_moved",
    )  # fmt: skip
    fields = readonly_fields

    @admin.display(description=_("reason"))
    def why(self, run: Run) -> str:
        return Truncator(self.all_reasons(run)).chars(SHORT)

    @admin.display(description=_("reasons"))
    def all_reasons(self, run: Run) -> str:
        return join_clauses(map(translate_message, run.reasons))

    @admin.display(description=_("tables done"))
    def progress(self, run: Run) -> str:
        return gettext("%(done)d of %(to_do)d") % {"done": run.done, "to_do": run.to_do} if run.to_do else "–"

    @admin.display(description=_("biggest changes"))
    def biggest_changes(self, run: Run) -> SafeString | str:
        return named_rows(run.biggest, "{}: {} → {}")

    @admin.display(description=_("changed grades"))
    def grades_moved(self, run: Run) -> SafeString | str:
        return named_rows(run.grades, "{}: {} → {}")

    @admin.display(description=_("changes by size"))
    def changes_by_size(self, run: Run) -> SafeString | str:
        rows = [(format_value(low), format_value(high), count) for low, high, count in run.histogram if count]
        return format_html_join("", "<div>{} … {}: {}</div>", rows) or "–"

    @admin.action(description=_("Cancel the selected runs"))
    def cancel(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        own = [run for run in queryset.select_related("list") if may(request.user, Action.KEEP_LIST, run)]
        stopped = sum(cancel_run(run) for run in own)
        text = ngettext("%d run will be cancelled.", "%d runs will be cancelled.", stopped) % stopped
        self.message_user(request, text, messages.SUCCESS if stopped else messages.WARNING)

    def get_actions(self, request: HttpRequest) -> Any:
        return super().get_actions(request) if is_officer(request.user) else {}

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return _reload_while_running(super().changeform_view(request, *args, **kwargs))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return _reload_while_running(super().changelist_view(request, extra_context))


def _reload_while_running(response: HttpResponse) -> HttpResponse:
    """Make the page reload while a run goes on, without a script; return the response."""
    if Run.objects.filter(state=Run.State.RUNNING).exists():
        response["Refresh"] = str(RELOAD_SECONDS)
    return response


def named_rows(rows: list[list[Any]], pattern: str) -> SafeString | str:
    names = {player.public_id: player.name for player in Player.objects.filter(public_id__in=[row[0] for row in rows])}
    named = [(names.get(id, id), format_value(before), format_value(after)) for id, before, after in rows]
    return format_html_join("", f"<div>{pattern}</div>", named) or "–"


def format_value(value: Any) -> str:
    return "–" if value in (None, "") else f"{value:g}" if isinstance(value, int | float) else str(value)
