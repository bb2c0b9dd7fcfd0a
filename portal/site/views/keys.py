from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from ratings.access import Action
from ratings.domain.keys import make_key, revoke_key
from ratings.models import ApiKey

from .access import require


class KeyForm(forms.ModelForm[ApiKey]):
    class Meta:
        model = ApiKey
        fields = ("label",)


@login_required
@never_cache
def keys(request: HttpRequest) -> HttpResponse:
    """Somebody's own keys; a new one's secret stands on the page that made it, and nowhere else."""
    require(request, Action.ORGANISE)
    form = KeyForm(request.POST or None)
    context: dict[str, object] = {"form": form, "keys": ApiKey.objects.filter(owner=request.user.pk)}
    if request.method == "POST" and form.is_valid():
        context["key"], context["secret"] = make_key(request.user, form.cleaned_data["label"])  # type: ignore[arg-type] # logged in
        context["form"] = KeyForm()
    return render(request, "portal/organise/keys.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    require(request, Action.ORGANISE)
    revoke_key(get_object_or_404(ApiKey, pk=pk, owner=request.user.pk))
    return redirect("keys")
