from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from ratings.access import Action, may
from ratings.domain.site.keys import DAYS, USUAL_SCOPES, create_key, may_give_all_events, may_give_webhooks, revoke_key
from ratings.models import ApiKey

from .access import require

LIVES = (30, 90, DAYS, 365)  # days
PER_PAGE = 100


class KeyForm(forms.ModelForm[ApiKey]):
    """Form of a new API key: its purpose, its scopes and its lifetime in days."""

    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Allowed to"), widget=forms.CheckboxSelectMultiple, initial=USUAL_SCOPES
    )
    days = forms.TypedChoiceField(label=gettext_lazy("Valid for"), coerce=int, initial=DAYS)

    class Meta:
        model = ApiKey
        fields = ("label",)

    def __init__(self, data: Any, user: User) -> None:
        super().__init__(data)
        given = {ApiKey.Scope.ALL_EVENTS: may_give_all_events(user), ApiKey.Scope.WEBHOOKS: may_give_webhooks(user)}
        offered = [(scope.value, scope.label) for scope in ApiKey.Scope if given.get(scope, True)]
        self.fields["scopes"].choices = offered  # type: ignore[attr-defined] # a choice field
        self.fields["days"].choices = [(n, ngettext("%d day", "%d days", n) % n) for n in LIVES]  # type: ignore[attr-defined] # a choice field

    def _post_clean(self) -> None:
        """Skip the validation of the model: a key is checked when it is created."""


@login_required
@never_cache
def keys(request: HttpRequest) -> HttpResponse:
    """List the user's own keys, and create one: its secret is displayed once, on the page that created it."""
    require(request, Action.ORGANISE)
    user = request.user
    assert isinstance(user, User)
    form = KeyForm(request.POST or None, user)
    context: dict[str, object] = {"form": form, "keys": ApiKey.objects.filter(owner=user)}
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            key_and_secret = create_key(user, values["label"], scopes=values["scopes"], days=values["days"])
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            context["key"], context["secret"] = key_and_secret
            context["form"] = KeyForm(None, user)
    context["all_keys"] = may(user, Action.KEEP_KEYS)
    return render(request, "site/keys.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
def all_keys(request: HttpRequest) -> HttpResponse:
    """List the keys of all users, for administrators."""
    require(request, Action.KEEP_KEYS)
    page = Paginator(ApiKey.objects.select_related("owner"), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "site/all_keys.html", {"page": page})


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a key of the user; administrators can revoke any key."""
    require(request, Action.ORGANISE)
    key = get_object_or_404(ApiKey, pk=pk)
    own = key.owner_id == request.user.pk
    if not own and not may(request.user, Action.KEEP_KEYS):
        raise Http404
    revoke_key(key)
    messages.success(request, _("The key %(key)s has been revoked.") % {"key": key})
    return redirect("keys" if own and "all" not in request.POST else "all_keys")
