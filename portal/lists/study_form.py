"""Form of a study in the laboratory: systems, candidates with options, and the sweep of an option."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.laboratory.candidates import PRESENT, Candidate, Sweep, parse_candidate, parse_sweep
from ratings.laboratory.study import StudyDefinition
from ratings.localize import translate_message
from ratings.models import RatingList
from ratings.systems import SYSTEMS
from ratings.systems.messages import message_of
from ratings.systems.options import format_value
from ratings.systems.values import History

MOST_CANDIDATES = 20


class StudyForm(forms.Form):
    """Systems and options to compare with a list's present rules; `study` is the result when the form is valid."""

    systems = forms.MultipleChoiceField(
        label=gettext_lazy("Systems with their usual options"), required=False, widget=forms.CheckboxSelectMultiple
    )
    candidates = forms.CharField(
        label=gettext_lazy("Systems with other options"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "One per line: a system and its options, such as “glicko-2 tau=0.6 period=month”. “present” is the list’s"
            " own system with its options."
        ),
    )
    sweep_of = forms.ChoiceField(label=gettext_lazy("System whose option is swept"), required=False)
    sweep = forms.CharField(
        label=gettext_lazy("Values of one or two options"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "An option with its first value, last value and step, such as “tau=0.2:1.2:0.2”, or with single values,"
            " such as “period=table,month”. Two options, separated by a space, give a map."
        ),
    )

    def __init__(self, data: Any, rating_list: RatingList, **more: Any) -> None:
        super().__init__(data, **more)
        self.history = History(rating_list.system, {}, (), options=rating_list.options)
        choices = [(key, translate_message(system.name)) for key, system in SYSTEMS.items()]
        present = (PRESENT, _("this list’s system, with its options"))
        others = [choice for choice in choices if choice[0] != rating_list.system]
        self.fields["systems"].choices = others  # type: ignore[attr-defined] # a choice field
        self.fields["sweep_of"].choices = [present, *choices]  # type: ignore[attr-defined] # a choice field

    def clean_candidates(self) -> list[Candidate]:
        """Return the candidates of all lines; name the line of each error."""
        found, problems = [], []
        for number, line in enumerate(self.cleaned_data["candidates"].splitlines(), 1):
            if not line.strip():
                continue
            try:
                found.append(parse_candidate(line, self.history))
            except ValueError as error:
                problems.append(
                    _("Line %(number)s: %(error)s") % {"number": number, "error": translate_message(message_of(error))}
                )
        if problems:
            raise forms.ValidationError(problems)
        return found

    def clean_sweep(self) -> Sweep | None:
        texts = self.cleaned_data["sweep"].split()
        if not texts:
            return None
        try:
            swept = parse_candidate(self.cleaned_data.get("sweep_of") or PRESENT, self.history)
            return parse_sweep(texts, swept)
        except ValueError as error:
            raise forms.ValidationError(translate_message(message_of(error))) from None

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if self.errors:
            return given
        candidates = [*(Candidate(key) for key in given["systems"]), *given["candidates"]]
        if not candidates and given["sweep"] is None:
            self.add_error(None, _("Choose a system, write candidates, or name an option to sweep."))
        if len(candidates) > MOST_CANDIDATES:
            message = _("A study has at most %(number)s candidates.") % {"number": MOST_CANDIDATES}
            self.add_error("candidates", message)
        self.study = StudyDefinition(candidates, given["sweep"])
        return given


def fill_form(definition: dict[str, Any], rating_list: RatingList) -> dict[str, Any]:
    """Return the initial values of the form that describe a stored study, to change it and run it again."""
    usual, written = [], []
    for candidate in definition["candidates"]:
        if not candidate["options"] and candidate["system"] != rating_list.system:
            usual.append(candidate["system"])
        else:
            written.append(str(Candidate(candidate["system"], candidate["options"])))
    sweep = definition["sweep"]
    values = {}
    if sweep is not None:
        own = sweep["system"] == rating_list.system
        texts = (f"{key}={','.join(map(format_value, tried))}" for key, tried in sweep["values"].items())
        values = {"sweep_of": PRESENT if own else sweep["system"], "sweep": " ".join(texts)}
    return {"systems": usual, "candidates": "\n".join(written), **values}
