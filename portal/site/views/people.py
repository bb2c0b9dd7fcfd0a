from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.site.forms import InviteForm
from ratings.access import Action, may
from ratings.domain.site.accounts import invite, remove_role
from ratings.queries.results.workflow import staff_users

from .access import require


@login_required
def workers(request: HttpRequest) -> HttpResponse:
    """List organisers, officers and approvers, and invite others."""
    require(request, Action.KEEP_PLAYERS)
    form = InviteForm(request.POST or None, roles=roles_given_by(request))
    if request.method == "POST" and form.is_valid():
        try:
            user = invite(form.cleaned_data["mail"], role=form.cleaned_data["role"], club=form.cleaned_data["club"])
        except ValidationError as error:
            form.add_error("mail", error)
        else:
            messages.success(request, _("%(user)s was notified by email.") % {"user": user})
            return redirect("workers")
    context = {"form": form, "people": staff_users(), "roles": roles_given_by(request)}
    return render(request, "site/workers.html", context, status=422 if form.errors else 200)


def roles_given_by(request: HttpRequest) -> list[str]:
    """Return the roles that the user may give: officers appoint organisers, administrators officers as well."""
    return [role for role, action in InviteForm.APPOINTED_BY.items() if may(request.user, action)]


@login_required
@require_POST
def dismiss_worker(request: HttpRequest, pk: int) -> HttpResponse:
    role = request.POST.get("role", "")
    require(request, InviteForm.APPOINTED_BY.get(role, Action.KEEP_OFFICERS))
    user = get_object_or_404(User, pk=pk, groups__name=role)
    try:
        remove_role(user, role)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("workers")
