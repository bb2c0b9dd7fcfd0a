"""Federations: their front page, their crest, and the page on which their administrators change both."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_http_methods, require_POST, require_safe

from portal.lists.federation_form import AdministratorForm, FederationForm, describe_languages
from portal.site.federation_identity import crest_as_data, crest_as_png
from portal.site.security_policy import set_security_policy
from portal.site.views.access import require, sign_in_required
from portal.site.views.front import render_front
from ratings.access import Action
from ratings.domain.site import accounts
from ratings.models import Federation
from ratings.queries.lists.lists import public_lists


def get_public_federation(slug: str) -> Federation:
    """Return a federation with a public list; raise Http404 if there is none."""
    return get_object_or_404(Federation.objects.filter(lists__in=public_lists()).distinct(), slug=slug)


@require_safe
def federation(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the front page of a federation; the only federation has the front page of the site."""
    shown = get_public_federation(slug)
    if not Federation.objects.filter(lists__in=public_lists()).exclude(pk=shown.pk).exists():
        return redirect("front")
    return render_front(request, shown)


def _get_etag(_request: HttpRequest, slug: str, format: str) -> str:
    version = Federation.objects.filter(slug=slug).values_list("version", flat=True).first()
    return f'"{slug}-{version}-{format}"'


@require_safe
@cache_control(public=True, max_age=60)
@condition(_get_etag)
@set_security_policy({"sandbox": True})
def crest(_request: HttpRequest, slug: str, format: str) -> HttpResponse:
    """Return the crest of a federation as SVG or PNG; the policy of both runs and loads nothing."""
    shown = get_object_or_404(Federation, slug=slug)
    if not shown.crest:
        raise Http404
    if format == "png":
        return HttpResponse(crest_as_png(shown.crest), content_type="image/png")
    return HttpResponse(shown.crest, content_type="image/svg+xml")


@sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_federation(request: HttpRequest, slug: str) -> HttpResponse:
    """Change name, crest, colour and links of a federation; “Preview” shows its head and foot without saving."""
    edited = get_object_or_404(Federation, slug=slug)
    require(request, Action.KEEP_FEDERATION, edited)
    if request.method != "POST":
        return _render_form(request, FederationForm(instance=edited), edited)
    with transaction.atomic():
        form = FederationForm(request.POST, request.FILES, instance=edited)
        if not form.is_valid():
            return _render_form(request, form, Federation.objects.get(pk=edited.pk), status=422)
        if "preview" in request.POST:
            return _render_form(request, form.with_typed_crest(), form.save(commit=False))
        form.save()
    messages.success(request, _("Saved."))
    return redirect("edit_federation", slug)


@sign_in_required
@require_POST
def invite_administrator(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the person with a mail address an administrator of a federation."""
    federation = get_object_or_404(Federation, slug=slug)
    require(request, Action.KEEP_FEDERATION, federation)
    form = AdministratorForm(request.POST)
    if form.is_valid():
        try:
            user = accounts.invite_administrator(form.cleaned_data["mail"], federation)
        except ValidationError as error:
            form.add_error("mail", error)
        else:
            messages.success(request, _("%(user)s was notified by email.") % {"user": user})
            return redirect("edit_federation", slug)
    return _render_form(request, FederationForm(instance=federation), federation, status=422, invite=form)


@sign_in_required
@require_POST
def remove_administrator(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a user from the administrators of a federation."""
    federation = get_object_or_404(Federation, slug=slug)
    require(request, Action.KEEP_FEDERATION, federation)
    user = get_object_or_404(User, pk=pk, administrator_of=federation)
    try:
        accounts.remove_administrator(user, federation)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("%(user)s is no longer an administrator.") % {"user": user})
    return redirect("edit_federation", slug)


def _render_form(
    request: HttpRequest,
    form: FederationForm,
    previewed: Federation,
    *,
    status: int = 200,
    invite: AdministratorForm | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "previewed": previewed,
        "crest": crest_as_data(previewed.crest),
        "languages": describe_languages(previewed),
        "administrators": previewed.administrators.order_by("username"),
        "invite": invite or AdministratorForm(),
    }
    return render(request, "lists/edit_federation.html", context, status=status)
