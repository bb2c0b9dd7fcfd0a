from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.site.fields import check_file_size, day_field
from ratings.domain.grades.approvals import Answer
from ratings.models import Player, RatingList
from ratings.queries.players.candidate_questions import ask_similar
from ratings.queries.players.suggestions import find_or_suggest
from ratings.queries.results.workflow import officer_lists


class SendForm(forms.Form):
    """Day and reference of sending the dossier."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "sent_%s", **kwargs})  # AnswerForm is on the page, too

    on = day_field(_("Sent on"))
    reference = forms.CharField(label=_("Reference"), max_length=100, required=False)


class ParcelForm(forms.Form):
    """Reference of a letter that is sent by email with the dossier and the certificate."""

    reference = forms.CharField(label=_("Our reference"), max_length=100)


ASK = "ask"
"""Value of the choice to ask a question first."""
LONGEST_TEXT, LONGEST_REASON = 1000, 300


class AnswerForm(forms.Form):
    """Answer of the approvers, or a question that they ask first."""

    granted = forms.TypedChoiceField(
        label=_("Answer"),
        choices=[("yes", _("Approve")), ("no", _("Decline")), (ASK, _("Ask a question first"))],
        coerce=lambda value: value if value == ASK else value == "yes",
        widget=forms.RadioSelect,
    )
    on = day_field(_("Day of the answer"))
    effective = day_field(
        _("Counts from"), required=False, help_text=_("Only if approved. Later tables are rated again.")
    )
    signed_by = forms.CharField(label=_("Signer on the certificate"), max_length=100, required=False)
    signer_office = forms.CharField(
        label=_("Office of the signer"),
        max_length=100,
        required=False,
        help_text=_("For example “Chair of the Grades Committee”."),
    )
    reference = forms.CharField(label=_("Reference of the answer"), max_length=100, required=False)
    reason = forms.CharField(
        label=_("Reason, remark or question"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Needed to decline or to ask; optional to approve."),
    )
    letter = forms.FileField(
        label=_("Letter"), required=False, help_text=_("At most 2 MB."), validators=[check_file_size]
    )
    of_a_question = ("granted", "reason", "code")
    """Fields that matter when a question is asked."""

    @property
    def asks(self) -> bool:
        """Return True if a question is asked instead of an answer given."""
        return bool(self.data.get("granted") == ASK)

    def clean(self) -> dict[str, Any]:
        """Check the length of a reason, which is public; a question needs no other fields, and may be longer."""
        if self.asks:
            for name in set(self.errors) - set(self.of_a_question):
                del self.errors[name]
        elif len(self.cleaned_data.get("reason", "")) > LONGEST_REASON:
            text = _("A reason has at most %(most)d characters; this one has %(length)d.")
            length = len(self.cleaned_data["reason"])
            self.add_error("reason", text % {"most": LONGEST_REASON, "length": length})
        return self.cleaned_data

    def to_answer(self) -> Answer:
        """Return the answer of a valid form that asks no question."""
        values = dict(self.cleaned_data)
        letter = values.pop("letter")
        return Answer(**values, letter=(letter.name[-200:], letter.read()) if letter else None)


SAVED_FIELDS = tuple(name for name in AnswerForm.base_fields if name != "letter")
"""Fields of an answer that are saved for later; a file is not."""


class QuestionForm(forms.Form):
    """Question about an approval whose answer waits to be confirmed."""

    reason = forms.CharField(label=_("Question"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 3}))


class ReplyForm(forms.Form):
    """Answer to a question about an approval."""

    reply = forms.CharField(
        label=_("Answer to the question"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 3})
    )


class LinkAnswerForm(AnswerForm):
    """Answer of a person without an account, with the code that they were told by phone."""

    code = forms.CharField(
        label=_("Code told by phone"),
        max_length=20,
        help_text=_("Eight digits."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )


class ReasonForm(forms.Form):
    """Reason for reopening an approval, or for withdrawing the request for it."""

    reason = forms.CharField(label=_("Reason"), max_length=300)


class RequestForm(forms.Form):
    """Request to approve a grade that a player holds elsewhere."""

    list = forms.ModelChoiceField(RatingList.objects.none(), label=_("List"), to_field_name="slug")
    player = forms.CharField(
        label=_("Player"), max_length=200, help_text=_("The name, or the id at the end of the address of their page.")
    )
    grade = forms.ChoiceField(label=_("Grade"))
    held_since = day_field(_("Held elsewhere since"))
    evidence = forms.CharField(
        label=_("Evidence"),
        max_length=300,
        help_text=_("For example a diploma with its number, or a federation's list."),
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        graded = [
            rating_list
            for rating_list in officer_lists(user)
            if rating_list.has_grades and rating_list.rating_system.grading.grades_needing_approval
        ]
        lists = self.fields["list"]
        assert isinstance(lists, forms.ModelChoiceField)
        lists.queryset = RatingList.objects.filter(pk__in=[rating_list.pk for rating_list in graded])
        grades = dict.fromkeys(
            grade for rating_list in graded for grade in rating_list.rating_system.grading.grades_needing_approval
        )
        self.fields["grade"].choices = [(grade, grade) for grade in grades]  # type: ignore[attr-defined] # a choice

    def clean_player(self) -> Player:
        text = self.cleaned_data["player"].strip()
        matches = find_or_suggest(text)
        if len(matches) == 1:
            return matches[0]
        no_match, several = _("No player has this name or id."), _("Several players have this name: enter the id.")
        rating_list = self.cleaned_data.get("list")
        asked = ask_similar(text, lists=[rating_list] if rating_list else (), players=matches)
        raise forms.ValidationError(f"{several if matches else no_match} {asked}".rstrip())
