from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from portal.players.timeline import step_line
from portal.site.views.access import require
from portal.templatetags.portal_format import colon
from ratings.access import Action, administered_federations
from ratings.domain.players.claims import answer_claim, check_claim, create_claim, release_page, withdraw_claim
from ratings.domain.players.visibility import set_visibility
from ratings.domain.site.acting import acting_user
from ratings.models import Claim, NameVisibility, Player
from ratings.queries.players.claims import claims_of, open_claims_with_details, player_of_user
from ratings.queries.players.player_timeline import answered_claims, own_visibility_steps
from ratings.versioned_forms import VersionMixin

MAX_ANSWERED, MAX_OWN_STEPS = 30, 5
"""Numbers of steps shown: answered claims to officers, changes of visibility to the player."""


class ClaimForm(forms.ModelForm[Claim]):
    class Meta:
        model = Claim
        fields = ("note",)
        widgets = {"note": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "note": gettext_lazy(
                "For example your club, an officer who knows you, or the email address that you registered with."
            )
        }


class AnswerForm(forms.Form):
    """Answer to a claim: one of two buttons (grant or decline), and an optional message."""

    answer = forms.CharField(required=False, max_length=2000)

    def clean(self) -> dict[str, Any]:
        if ("grant" in self.data) == ("decline" in self.data):
            raise forms.ValidationError(_("Grant the claim or decline it."))
        return super().clean() or {}

    def error_messages(self) -> list[str]:
        return [str(problem) for problems in self.errors.values() for problem in problems]


class VisibilityForm(VersionMixin, forms.Form):
    """Settings of how the public sees a player; each choice includes the name that would be displayed."""

    shown = forms.ChoiceField(label=gettext_lazy("How my name appears on pages and in files"), widget=forms.RadioSelect)
    birth_public = forms.BooleanField(label=gettext_lazy("Show my birth year"), required=False)
    gender_public = forms.BooleanField(
        required=False, help_text=gettext_lazy("Rating lists use it for their filter “Women” only.")
    )

    def __init__(self, player: Player, data: Any = None) -> None:
        super().__init__(data, initial={name: getattr(player, name) for name in self.base_fields})
        visibility = self.fields["shown"]
        assert isinstance(visibility, forms.ChoiceField)
        visibility.choices = [
            (value, f"{colon(label)} {player.named_as(value)}") for value, label in NameVisibility.choices
        ]
        if player.year_of_birth is None:
            del self.fields["birth_public"]
        if player.gender:
            gender = player.get_gender_display()
            self.fields["gender_public"].label = _("Show my gender (%(gender)s)") % {"gender": gender}
        else:
            del self.fields["gender_public"]
        self.versioned_row = player
        self.add_opened_version()

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        self.check_opened_version()
        return values


@login_required
def claim_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Let a user with an account claim the page of a player."""
    player = get_object_or_404(Player, public_id=public_id)
    user = acting_user()
    assert user is not None
    form = ClaimForm(request.POST or None)
    context: dict[str, Any] = {"player": player, "form": form}
    try:
        check_claim(player, user)
        if request.method == "POST" and form.is_valid():
            create_claim(player, user, form.cleaned_data["note"])
            messages.success(request, _("Claim sent. A rating officer will answer by email."))
            return redirect("me")
    except ValidationError as error:
        context |= {"problems": error.messages, "form": form if form.is_bound else None}
    status = 422 if request.method == "POST" else 200
    return render(request, "players/claim.html", context, status=status)


@login_required
def me(request: HttpRequest) -> HttpResponse:
    """Show users their claims and how the public sees their player, and save changes of the latter."""
    player = player_of_user(request.user)
    form = VisibilityForm(player, request.POST or None) if player else None
    status = 200
    if request.method == "POST":
        if player is None or form is None:
            raise PermissionDenied
        with transaction.atomic():  # the check of the form's version locks the player
            if form.is_valid():
                set_visibility(
                    player,
                    form.cleaned_data["shown"],
                    birth_public=form.cleaned_data.get("birth_public"),
                    gender_public=form.cleaned_data.get("gender_public"),
                )
                messages.success(request, _("Saved."))
                return redirect("me")
        status = 422
    context: dict[str, Any] = {"player": player, "form": form, "claims": claims_of(request.user)}
    context["federations"] = administered_federations(request.user)
    context["memberships"] = list(player.federation_memberships.select_related("federation")) if player else []
    context["visibility"] = [step_line(step) for step in own_visibility_steps(player)[:MAX_OWN_STEPS]] if player else []
    return render(request, "players/me.html", context, status=status)


@login_required
@require_POST
def release_own_page(request: HttpRequest) -> HttpResponse:
    player = player_of_user(request.user)
    if player is None:
        raise PermissionDenied
    release_page(player)
    messages.success(request, _("The page of %(player)s is no longer yours.") % {"player": player})
    return redirect("me")


@login_required
@require_POST
def withdraw_own_claim(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a claim of the user that waits for an answer."""
    claim = get_object_or_404(Claim, pk=pk, user=request.user.pk)
    try:
        withdraw_claim(claim)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Claim withdrawn. You can claim this page or another one."))
    return redirect("me")


@login_required
def claims(request: HttpRequest) -> HttpResponse:
    """Show the claims that wait for an answer."""
    require(request, Action.KEEP_PLAYERS)
    return render_claims(request)


def render_claims(request: HttpRequest, status: int = 200, **more: object) -> HttpResponse:
    return render(
        request,
        "players/claims.html",
        {
            "waiting": open_claims_with_details(),
            "answered_steps": [step_line(step) for step in answered_claims()[:MAX_ANSWERED]],
        }
        | more,
        status=status,
    )


@login_required
@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    require(request, Action.KEEP_PLAYERS)
    the_claim = get_object_or_404(Claim, pk=pk)
    form = AnswerForm(request.POST)
    typed = {"answered": the_claim.pk, "typed": request.POST.get("answer", "")}
    if not form.is_valid():
        return render_claims(request, 422, problems=form.error_messages(), **typed)
    try:
        answer_claim(the_claim, granted="grant" in request.POST, answer=form.cleaned_data["answer"])
    except ValidationError as error:
        return render_claims(request, 422, problems=error.messages, **typed)
    messages.success(request, _("Answer saved."))
    return redirect("claims")
