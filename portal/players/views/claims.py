from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from ratings.access import Action
from ratings.domain.acting import acting_user
from ratings.domain.claims import answer_claim, check_claim, claim, release
from ratings.domain.visibility import set_visibility
from ratings.models import Claim, Player, Shown
from ratings.queries.claims import claims_of, page_of, waiting_claims

from .access import require


class ClaimForm(forms.ModelForm[Claim]):
    class Meta:
        model = Claim
        fields = ("note",)
        widgets = {"note": forms.Textarea(attrs={"rows": 4})}


class AnswerForm(forms.Form):
    """One of two buttons, and a word."""

    answer = forms.CharField(required=False, max_length=2000)

    def clean(self) -> dict[str, Any]:
        if ("grant" in self.data) == ("decline" in self.data):
            raise forms.ValidationError(_("Grant the claim or decline it."))
        return super().clean() or {}

    def told(self) -> list[str]:
        return [str(problem) for problems in self.errors.values() for problem in problems]


class VisibilityForm(forms.Form):
    """Each choice says what the public would read."""

    shown = forms.ChoiceField(label=gettext_lazy("How pages and files name me"), widget=forms.RadioSelect)
    birth_public = forms.BooleanField(label=gettext_lazy("Show my birth year"), required=False)

    def __init__(self, player: Player, data: Any = None) -> None:
        super().__init__(data, initial={"shown": player.shown, "birth_public": player.birth_public})
        shown = self.fields["shown"]
        assert isinstance(shown, forms.ChoiceField)
        shown.choices = [(value, f"{label}: {player.named_as(value)}") for value, label in Shown.choices]
        if player.year_of_birth is None:
            del self.fields["birth_public"]


@login_required
def claim_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Whoever has an account may say that a page is his."""
    player = get_object_or_404(Player, public_id=public_id)
    user = acting_user()
    assert user is not None
    form = ClaimForm(request.POST or None)
    context: dict[str, Any] = {"player": player, "form": form}
    try:
        check_claim(player, user)
        if request.method == "POST" and form.is_valid():
            claim(player, user, form.cleaned_data["note"])
            messages.success(request, _("Sent: the rating officers have been told."))
            return redirect("me")
    except ValidationError as error:
        context |= {"problems": error.messages, "form": None}
    status = 422 if request.method == "POST" else 200
    return render(request, "portal/claim.html", context, status=status)


@login_required
def me(request: HttpRequest) -> HttpResponse:
    """One's own page: what was claimed, and how one is shown."""
    player = page_of(request.user)
    form = VisibilityForm(player, request.POST or None) if player else None
    status = 200
    if request.method == "POST":
        if player is None or form is None:
            raise PermissionDenied
        if form.is_valid():
            set_visibility(player, form.cleaned_data["shown"], birth_public=form.cleaned_data.get("birth_public"))
            messages.success(request, _("Kept."))
            return redirect("me")
        status = 422
    context = {"player": player, "form": form, "claims": claims_of(request.user)}
    return render(request, "portal/me.html", context, status=status)


@login_required
@require_POST
def give_up(request: HttpRequest) -> HttpResponse:
    player = page_of(request.user)
    if player is None:
        raise PermissionDenied
    release(player)
    messages.success(request, _("The page of %(player)s is no longer yours.") % {"player": player})
    return redirect("me")


@login_required
def claims(request: HttpRequest) -> HttpResponse:
    """What waits for an answer."""
    require(request, Action.KEEP_PLAYERS)
    return shown_claims(request)


def shown_claims(request: HttpRequest, status: int = 200, **more: object) -> HttpResponse:
    return render(request, "portal/organise/claims.html", {"waiting": waiting_claims()} | more, status=status)


@login_required
@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    require(request, Action.KEEP_PLAYERS)
    the_claim = get_object_or_404(Claim, pk=pk)
    form = AnswerForm(request.POST)
    typed = {"answered": the_claim.pk, "typed": request.POST.get("answer", "")}
    if not form.is_valid():
        return shown_claims(request, 422, problems=form.told(), **typed)
    try:
        answer_claim(the_claim, granted="grant" in request.POST, answer=form.cleaned_data["answer"])
    except ValidationError as error:
        return shown_claims(request, 422, problems=error.messages, **typed)
    messages.success(request, _("Answered."))
    return redirect("claims")
