"""Templates of results tables: an empty one, and one with the entered players of an event."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from portal.site.views.access import require
from ratings.access import Action
from ratings.formats.spreadsheet.templates import EMPTY, TemplateContent, template_csv, template_xlsx
from ratings.queries.events.entry_templates import template_of_event

from .organise import get_managed_event

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@login_required
def template_file(request: HttpRequest, format: str) -> HttpResponse:
    """Return an empty crosstable to fill in, as CSV or XLSX."""
    require(request, Action.ORGANISE)
    return _build_response(EMPTY, "results", format)


@login_required
def event_template(request: HttpRequest, public_id: str, format: str) -> HttpResponse:
    """Return a crosstable with the entered players of an event and as many rounds as it has, as CSV or XLSX."""
    event = get_managed_event(request, public_id)
    return _build_response(template_of_event(event), event.public_id, format)


def _build_response(content: TemplateContent, name: str, format: str) -> HttpResponse:
    """Return a template as a download; Http404: no template has this format."""
    if format not in ("csv", "xlsx"):
        raise Http404
    kind = "text/csv; charset=utf-8" if format == "csv" else XLSX
    body = "\ufeff" + template_csv(content) if format == "csv" else template_xlsx(content)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format}"'}
    return HttpResponse(body, content_type=kind, headers=headers)
