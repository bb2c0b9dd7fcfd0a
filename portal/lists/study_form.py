"""Form of a study in the laboratory: systems, sets of options as fields, and the sweep of an option."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Max
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.laboratory.candidates import PRESENT, Candidate, Sweep, parse_candidate, parse_sweep, present_candidate
from ratings.laboratory.study import StudyDefinition
from ratings.localize import translate_message
from ratings.models import RatingList
from ratings.option_forms import OptionsForm, fields_for
from ratings.queries.lists.history import tables_of
from ratings.systems import SYSTEMS, get_system
from ratings.systems.messages import message_of
from ratings.systems.options import format_value
from ratings.systems.values import History

MOST_CANDIDATES = 20
SYSTEMS_FIELD = "systems"
ADD, REMOVE = "add", "remove"
"""Names of the buttons that add a set of options and remove one; the second has the number of the set as its value."""


@dataclass(frozen=True)
class OptionSet:
    """Set of options in the form: its number, by which its fields are named, its system and its fields."""

    number: int
    system: str
    fields: list[forms.BoundField]

    @property
    def marker(self) -> str:
        """The name of the hidden field that tells the system of the set."""
        return name_marker(self.number)

    @property
    def name(self) -> str:
        return translate_message(SYSTEMS[self.system].name)


def name_marker(number: int) -> str:
    return f"set-{number}"


def name_prefix(number: int) -> str:
    """Return the beginning of the names of the option fields of a set."""
    return f"set-{number}-option-"


class StudyForm(OptionsForm, forms.Form):
    """Systems and options to compare with a list's present rules; `study` is the result when the form is valid.

    A set of options is a candidate. At first there is one: the list's own system with its present options.
    """

    systems = forms.MultipleChoiceField(
        label=gettext_lazy("Systems with their usual options"), required=False, widget=forms.CheckboxSelectMultiple
    )
    add_system = forms.ChoiceField(label=gettext_lazy("System of another set of options"), required=False)
    sweep_of = forms.ChoiceField(label=gettext_lazy("System whose option is swept"), required=False)
    sweep = forms.CharField(
        label=gettext_lazy("Values of one or two options"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "An option with its first value, last value and step, for example “tau=0.2:1.2:0.2”, or with single values"
            ", for example “period=table,month”. Two options, separated by a space, give a map."
        ),
    )

    def __init__(
        self, data: Any, rating_list: RatingList, *, sets: Mapping[int, Candidate] | None = None, **more: Any
    ) -> None:
        super().__init__(data, **more)
        self.history = read_rules(rating_list)
        self.present = present_candidate(self.history)
        choices = [(key, translate_message(system.name)) for key, system in SYSTEMS.items()]
        present = (PRESENT, _("this list’s system, with its options"))
        others = [choice for choice in choices if choice[0] != rating_list.system]
        self.fields["systems"].choices = others  # type: ignore[attr-defined] # a choice field
        self.fields["sweep_of"].choices = [present, *choices]  # type: ignore[attr-defined] # a choice field
        own_first = sorted(choices, key=lambda choice: choice[0] != rating_list.system)
        self.fields["add_system"].choices = own_first  # type: ignore[attr-defined] # a choice field
        self.chosen = read_sets(data) if data is not None else {0: self.present} if sets is None else sets
        for number, candidate in self.chosen.items():
            prefix = name_prefix(number)
            self.fields.update(fields_for(SYSTEMS[candidate.system], settings_of(candidate), prefix))

    @property
    def sets(self) -> list[OptionSet]:
        """The sets of options with their fields."""
        return [
            OptionSet(number, one.system, [field for field in self if field.name.startswith(name_prefix(number))])
            for number, one in self.chosen.items()
        ]

    @property
    def can_add(self) -> bool:
        return len(self.chosen) < MOST_CANDIDATES

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
        sets = [self._read_set(number, one.system) for number, one in self.chosen.items()]
        if self.errors:
            return given
        candidates = list(self._leave_out_present([*map(Candidate, given["systems"]), *sets]))
        if not candidates and given["sweep"] is None:
            self.add_error(None, _("Choose a system, change an option, or name an option to sweep."))
        if len(candidates) > MOST_CANDIDATES:
            self.add_error(None, _("A study has at most %(number)s candidates.") % {"number": MOST_CANDIDATES})
        self.study = StudyDefinition(candidates, given["sweep"])
        return given

    def _read_set(self, number: int, system: str) -> Candidate:
        """Return the candidate of a set, without options that have their default."""
        options = self.read_options(SYSTEMS[system], name_prefix(number))
        defaults = settings_of(Candidate(system))
        return Candidate(system, {key: value for key, value in options.items() if value != defaults[key]})

    def _leave_out_present(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield each candidate once, without those whose rules are the present ones, which are always compared."""
        seen = [(self.present.system, settings_of(self.present))]
        for candidate in candidates:
            rules = candidate.system, settings_of(candidate)
            if rules not in seen:
                seen.append(rules)
                yield candidate


def settings_of(candidate: Candidate) -> Mapping[str, Any]:
    return get_system(candidate.system, candidate.options).settings


def read_rules(rating_list: RatingList) -> History:
    """Return a history without players and tables, with the options of a list up to its last table."""
    last_day = tables_of(rating_list).aggregate(last=Max("last_day"))["last"]
    changes = [change for change in rating_list.parsed_option_changes if last_day and change.date <= last_day]
    return History(rating_list.system, {}, (), options=rating_list.options, option_changes=tuple(changes))


def read_sets(data: Mapping[str, Any]) -> dict[int, Candidate]:
    """Return the sets of options of a sent form by number, without their options."""
    systems = {number: data.get(name_marker(number)) for number in range(MOST_CANDIDATES)}
    return {number: Candidate(system) for number, system in systems.items() if system in SYSTEMS}


def is_rearranged(data: Mapping[str, Any]) -> bool:
    """Return True if a sent form asks for another set of options, or for one less."""
    return ADD in data or REMOVE in data


def rearrange_form(data: QueryDict, rating_list: RatingList) -> StudyForm:
    """Return the form as it was typed, with a set of options added or removed by a button, without errors."""
    sets, removed = read_sets(data), data.get(REMOVE, "")
    if removed.isdecimal():
        sets = {number: one for number, one in sets.items() if str(number) != removed}
    free = next((number for number in range(MOST_CANDIDATES) if number not in sets), None)
    system = data.get("add_system", "")
    if ADD in data and system in SYSTEMS and free is not None:
        own = system == rating_list.system
        sets[free] = present_candidate(read_rules(rating_list)) if own else Candidate(system)
    typed = {name: data.getlist(name) if name == SYSTEMS_FIELD else data[name] for name in data}
    return StudyForm(None, rating_list, initial=typed, sets=sets)


def fill_form(definition: dict[str, Any], rating_list: RatingList) -> StudyForm:
    """Return the form that describes a stored study, to change it and run it again."""
    usual, sets = [], []
    for given in definition["candidates"]:
        if not given["options"] and given["system"] != rating_list.system:
            usual.append(given["system"])
        else:
            sets.append(Candidate(given["system"], given["options"]))
    sweep = definition["sweep"]
    values = {}
    if sweep is not None:
        own = sweep["system"] == rating_list.system
        texts = (f"{key}={','.join(map(format_value, tried))}" for key, tried in sweep["values"].items())
        values = {"sweep_of": PRESENT if own else sweep["system"], "sweep": " ".join(texts)}
    initial = {SYSTEMS_FIELD: usual, **values}
    return StudyForm(None, rating_list, initial=initial, sets=dict(enumerate(sets)))
