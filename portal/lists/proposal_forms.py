"""Forms of proposed rules: the draft with its reason and days, and the decisions."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.domain.lists.proposal_effects import find_first_year
from ratings.domain.lists.rule_proposals import LEAST_NOTICE, check_notice
from ratings.laboratory.conversion import has_other_scale
from ratings.localize import format_day, translate_message
from ratings.models import RatingList, RuleProposal
from ratings.models.lists.rule_proposals import LONGEST_TEXT
from ratings.option_forms import OptionsForm, fields_for
from ratings.systems import SYSTEMS, get_system
from ratings.time_zones import find_today

DAY_INPUT = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class ProposalForm(forms.ModelForm[RuleProposal]):
    """Form of a draft: what its page says, and from when on the rules would hold."""

    since_year = forms.TypedChoiceField(label=gettext_lazy("Show the effects as if in force since"), coerce=int)

    class Meta:
        model = RuleProposal
        fields = ("title", "reason", "proposed_by", "in_force", "comments_until", "successor_name", "successor_slug")
        widgets = {"in_force": DAY_INPUT, "comments_until": DAY_INPUT, "reason": forms.Textarea(attrs={"rows": 5})}
        help_texts = {
            "title": gettext_lazy("For example “ratings that follow form sooner”."),
            "proposed_by": gettext_lazy("The person or the committee, as the public page names them."),
            "comments_until": gettext_lazy("Leave empty for no such day."),
        }

    def __init__(self, data: Any, proposal: RuleProposal, *, is_successor: bool) -> None:
        super().__init__(data, instance=proposal)
        self.today = today = find_today(proposal.list.federation.time_zone)
        notice = _("At least %(days)s days after publication: today from %(day)s on.")
        earliest = {"days": LEAST_NOTICE.days, "day": format_day(today + LEAST_NOTICE)}
        self.fields["in_force"].help_text = notice % earliest
        first = find_first_year(proposal.list) or today.year
        years = range(today.year, min(first, today.year) - 1, -1)
        field = self.fields["since_year"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(year, str(year)) for year in years]
        self.initial["since_year"] = proposal.since.year if proposal.pk else max(first, today.year - 3)
        for name in ("successor_name", "successor_slug"):
            if is_successor:
                self.fields[name].required = True
            else:
                del self.fields[name]

    def clean_in_force(self) -> dt.date:
        in_force: dt.date = self.cleaned_data["in_force"]
        check_notice(in_force, self.today)
        return in_force

    def clean_comments_until(self) -> dt.date | None:
        until: dt.date | None = self.cleaned_data["comments_until"]
        in_force = self.cleaned_data.get("in_force")
        if until is not None and in_force is not None and until > in_force:
            raise forms.ValidationError(_("Comments must end before the rules come into force."))
        return until

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if year := values.get("since_year"):
            self.instance.since = dt.date(year, 1, 1)
        return values


OPTION = "option-"
"""Beginning of the names of the fields of options."""


class ProposedRulesForm(OptionsForm, forms.Form):
    """Form of rules that are proposed without a study: the options of a system, the list's own with its present ones.

    `candidate` has the rules when the form is valid, as a study names them.
    """

    def __init__(self, data: Any, rating_list: RatingList, system: str, **more: Any) -> None:
        super().__init__(data, **more)
        self.system = system
        own = rating_list.rating_system
        settings = own.settings if system == rating_list.system else get_system(system).settings
        self.fields.update(fields_for(SYSTEMS[system], settings, OPTION))

    def clean(self) -> dict[str, Any]:
        options = self.read_options(SYSTEMS[self.system], OPTION)
        defaults = get_system(self.system).settings
        changed = {key: value for key, value in options.items() if value != defaults[key]}
        self.candidate = {"system": self.system, "options": changed}
        return self.cleaned_data


def list_systems(rating_list: RatingList) -> list[tuple[str, str]]:
    """Return the key and the name of each system that can rate a list or its successor, the list's own first."""
    own = SYSTEMS[rating_list.system]
    systems = {rating_list.system: own, **SYSTEMS}
    return [(key, translate_message(one.name)) for key, one in systems.items() if not has_other_scale(own, one)]


class DecisionForm(forms.Form):
    """Reason of a decision, which stands on the public page."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("It stands on the public page. Needed to reopen a proposal."),
    )
