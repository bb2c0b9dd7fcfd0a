from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from ratings.access import Action
from ratings.domain.merging import merge, preview_merge, undo
from ratings.models import Merge
from ratings.queries.duplicates import probable_duplicates
from ratings.queries.roster import describe, described_players

from .access import require

RECENT = 50


@login_required
def duplicates(request: HttpRequest) -> HttpResponse:
    """Who may be one, and who was merged."""
    require(request, Action.KEEP_PLAYERS)
    merges = Merge.objects.select_related("gone", "kept", "by", "undone_by")[:RECENT]
    return render(request, "portal/organise/duplicates.html", {"pairs": probable_duplicates(), "merges": merges})


@login_required
def merge_players(request: HttpRequest) -> HttpResponse:
    """Look at two players side by side and what merging them would do; then do it."""
    require(request, Action.KEEP_PLAYERS)
    given = request.POST if request.method == "POST" else request.GET
    known = described_players([given.get("gone", "").strip(), given.get("kept", "").strip()])
    gone, kept = (known.get(given.get(name, "").strip()) for name in ("gone", "kept"))
    described = [describe(player) for player in (gone, kept) if player]
    context: dict[str, object] = {"gone": gone, "kept": kept, "described": described}
    if gone is None or kept is None:
        return render(request, "portal/organise/merge.html", context, status=404 if given else 200)
    try:
        if request.method == "POST":
            merge(gone, kept, reason=request.POST.get("reason", "").strip())
            messages.success(request, _("Merged; the lists are being rated again."))
            return redirect("duplicates")
        context["previews"] = preview_merge(gone, kept)
    except ValidationError as error:
        return render(request, "portal/organise/merge.html", context | {"problems": error.messages}, status=422)
    return render(request, "portal/organise/merge.html", context)


@login_required
@require_POST
def undo_merge(request: HttpRequest, pk: int) -> HttpResponse:
    require(request, Action.KEEP_PLAYERS)
    record = get_object_or_404(Merge, pk=pk)
    try:
        left = undo(record)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Undone; the lists are being rated again."))
        for table in left:
            told = _("%(player)s sits no more in %(table)s, which stays as it is.")
            messages.warning(request, told % {"player": record.kept, "table": table})
    return redirect("duplicates")
