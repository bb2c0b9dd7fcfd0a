from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from portal.site.fields import check_file_size, make_day_widget, make_time_widget
from ratings.access import Action, may
from ratings.domain.events.details import GAME_FIELDS, TABLE_FIELDS
from ratings.domain.results.hall.links import find_end_of_day, find_end_of_event
from ratings.formats.parsed import FIRST_YEAR, LAST_YEAR, ROUNDS_AT_MOST, is_possible_day
from ratings.models import Event, EventEntry, Game, Hall, RatingList, Table
from ratings.models.players.people import validate_name
from ratings.queries.lists.lists_of_days import check_lists_of_days
from ratings.queries.results.workflow import officer_lists
from ratings.tie_break_forms import TieBreaksField
from ratings.versioned_forms import VersionedForm

BOARDS = (19, 13, 9)


class EventForm(VersionedForm[Event]):
    """Form of the data of an event, before and after it is accepted."""

    lists = forms.ModelMultipleChoiceField(
        RatingList.objects.filter(comparison_to=None),
        label=_("Rated on the lists"),
        widget=forms.CheckboxSelectMultiple,
    )

    tie_breaks = TieBreaksField(
        label=_("Tie-breaks"),
        empty_label=_("as the list's rules say"),
        help_text=Event._meta.get_field("tie_breaks").help_text,
    )
    link = forms.URLField(label=_("Link to the announcement"), required=False, assume_scheme="https")
    registration = forms.URLField(label=_("Link to the registration"), required=False, assume_scheme="https")

    class Meta:
        model = Event
        fields = (
            "name",
            "start",
            "end",
            "start_time",
            "place",
            "address",
            "country",
            "time_control",
            "rounds",
            "tie_breaks",
            "mode",
            "organiser",
            "club",
            "schedule",
            "contact",
            "registration",
            "link",
            "lists",
        )
        widgets = {
            "start": make_day_widget(),
            "end": make_day_widget(),
            "start_time": make_time_widget(),
            "schedule": forms.Textarea(attrs={"rows": 5}),
        }

    def clean_start(self) -> dt.date:
        return self._clean_day("start")

    def clean_end(self) -> dt.date | None:
        """Return the last day: the first one if it is empty."""
        return self._clean_day("end") if self.cleaned_data["end"] else self.cleaned_data.get("start")

    def _clean_day(self, name: str) -> dt.date:
        day: dt.date = self.cleaned_data[name]
        if not is_possible_day(day):
            years = {"first": FIRST_YEAR, "last": LAST_YEAR}
            raise forms.ValidationError(_("Enter a year from %(first)d to %(last)d.") % years)
        return day

    def clean_lists(self) -> QuerySet[RatingList]:
        """Return the chosen lists; refuse one if another list rates the events of that day."""
        lists: QuerySet[RatingList] = self.cleaned_data["lists"]
        start, end = self.cleaned_data.get("start"), self.cleaned_data.get("end")
        if start is not None and end is not None:
            check_lists_of_days(lists, start, end)
        return lists

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = user.clubs.all()  # type: ignore[attr-defined] # a model choice field
        if not user.clubs.exists() and self.instance.club_id is None:
            del self.fields["club"]
        own_lists = officer_lists(user).filter(comparison_to=None)
        if self.instance.state == Event.State.ACCEPTED:  # a change re-rates the lists
            self.fields["lists"].queryset = own_lists  # type: ignore[attr-defined] # a model choice field
        lists = list(RatingList.objects.filter(comparison_to=None, successor=None)[:2])
        if self.instance.pk is None and len(lists) == 1:
            self.initial["lists"] = lists  # before the empty value of the new event
        self.fields["end"].required = False
        self.fields["end"].help_text = _("Empty: the same day.")
        self.fields["time_control"].help_text = _("For example 30min + 30sec.")


class UploadForm(forms.Form):
    """Form to add results as a file, as pasted text, or as an empty table."""

    file = forms.FileField(label=_("File"), required=False, validators=[check_file_size])
    text = forms.CharField(
        label=_("Or paste the text"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 8})
    )
    players = forms.IntegerField(label=_("Players"), min_value=2, max_value=1000, initial=8, required=False)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=30, initial=5, required=False)
    blank = forms.CharField(required=False)
    entered = forms.BooleanField(label=_("With the entered players"), required=False, initial=True)

    @classmethod
    def of_event(cls, event: Event, text: str = "") -> UploadForm:
        """Return an unbound form with a pasted text, and with the rounds and the entered players of an event."""
        players = event.player_entries.filter(state=EventEntry.State.CONFIRMED).count()
        values = (("players", players), ("rounds", event.rounds), ("text", text))
        form = cls(initial={name: value for name, value in values if value})
        if not players:
            del form.fields["entered"]
        return form

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("blank"):
            if not (values.get("players") and values.get("rounds")):
                raise forms.ValidationError(_("Enter the number of players and the number of rounds."))
        elif not (values.get("file") or values.get("text", "").strip()) and "file" not in self.errors:
            raise forms.ValidationError(_("Choose a file, or paste the text."))
        return values

    def name_and_data(self) -> tuple[str, bytes]:
        """Return the file name and the bytes; the name of pasted text is empty."""
        file = self.cleaned_data["file"]
        return (file.name, file.read()) if file else ("", self.cleaned_data["text"].encode())


class ShareForm(forms.Form):
    """Form to share an event with another organiser."""

    who = forms.CharField(label=_("User name or email address"), max_length=254)

    def clean_who(self) -> User:
        who = self.cleaned_data["who"].strip()
        user = User.objects.filter(Q(username=who) | Q(email__iexact=who), is_active=True).first()
        if user is None:
            raise forms.ValidationError(_("No user has this name or email address."))
        if not may(user, Action.ORGANISE):
            raise forms.ValidationError(
                _("%(user)s is not an organiser yet. Ask an officer to invite them.") % {"user": user}
            )
        return user


class RoundsForm(forms.Form):
    """Form of the number of rounds in the hall, and of the names of further players."""

    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=ROUNDS_AT_MOST)
    names = forms.CharField(
        label=_("Players to add, one per line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "placeholder": "Adler, Ina, AT"}),
        help_text=_("Family name, given name, country."),
    )


class PairingsForm(forms.Form):
    """Form of the pairings of a round, typed or as a file."""

    pairings = forms.CharField(
        label=_("Pairings, one board per line"), required=False, widget=forms.Textarea(attrs={"rows": 10})
    )
    file = forms.FileField(label=_("Or a file of a pairing program"), required=False, validators=[check_file_size])


class InviteForm(forms.Form):
    """Form to make a link for helpers.

    `zone` is the time zone of the browser, which a script fills in; without it days and times are in UTC.
    """

    TONIGHT, EVENT, OTHER = "tonight", "event", "other"

    label = forms.CharField(label=_("For whom"), max_length=60, required=False, validators=[validate_name])
    until = forms.ChoiceField(
        label=_("The link ends"),
        choices=[(TONIGHT, _("Tonight")), (EVENT, _("After the event")), (OTHER, _("At another time"))],
        widget=forms.RadioSelect,
        required=False,
    )
    ends = forms.DateTimeField(
        label=_("Day and time"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    zone = forms.CharField(max_length=60, required=False, widget=forms.HiddenInput(attrs={"data-zone": True}))

    def clean_zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.cleaned_data["zone"] or "UTC")
        except (KeyError, ValueError, OSError):
            return ZoneInfo("UTC")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("ends") and not values.get("until"):
            values["until"] = self.OTHER
        if values.get("until") == self.OTHER and not values.get("ends") and "ends" not in self.errors:
            self.add_error("ends", _("Enter the day and time at which the link ends."))
        return values

    def find_end(self, hall: Hall) -> dt.datetime:
        """Return when the link ends."""
        values = self.cleaned_data
        zone: ZoneInfo = values["zone"]
        if values["until"] == self.OTHER:
            ends: dt.datetime = values["ends"]
            return ends.replace(tzinfo=zone)
        return find_end_of_day(zone) if values["until"] == self.TONIGHT else find_end_of_event(hall, zone)


class HelperForm(forms.Form):
    """Form in which a helper enters their name."""

    name = forms.CharField(label=_("Your name"), max_length=60, validators=[validate_name])


class DetailsForm(forms.ModelForm[Table]):
    """Form of details that only some systems need, of a table and of all its games at once."""

    board = forms.TypedChoiceField(label=_("Board size"), required=False, coerce=int, empty_value=None)
    online = forms.TypedChoiceField(label=_("Online"), required=False, coerce="True".__eq__, empty_value=None)
    correspondence = forms.TypedChoiceField(
        label=_("By correspondence"), required=False, coerce="True".__eq__, empty_value=None
    )

    class Meta:
        model = Table
        fields = tuple(TABLE_FIELDS)

    def __init__(self, data: Any, details: Mapping[str, Any], needed: Collection[str]) -> None:
        super().__init__(
            data, initial=dict(details), instance=Table(**{n: details[n] for n in TABLE_FIELDS if n in details})
        )
        for name in list(self.fields):
            if TABLE_FIELDS.get(name, name) not in needed:
                del self.fields[name]
        for name in GAME_FIELDS:
            if name in self.fields:
                self.fields[name].choices = game_choices(name, details)  # type: ignore[attr-defined] # a choice field


def game_choices(name: str, details: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """Return the choices of a detail for all games; if they differ, an empty choice leaves each as it is."""
    value = details.get(name, getattr(Game(), name))
    if name == "board":
        choices: list[tuple[Any, Any]] = [(size, size) for size in sorted({*BOARDS, value} - {None}, reverse=True)]
    else:
        choices = [(False, _("no")), (True, _("yes"))]
    return choices if value is not None else [("", _("varies between games")), *choices]


class VoidForm(forms.Form):
    """Form to void an event, with the reason why it no longer counts."""

    reason = forms.ChoiceField(label=_("Reason"), choices=[("", _("Choose …")), *Event.VoidReason.choices])
    explanation = forms.CharField(
        label=_("Explanation, public"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown on the event’s page, for example: The time control was 10 minutes; this list needs 30."),
    )
    read = forms.BooleanField(label=_("I have read what would happen"))
