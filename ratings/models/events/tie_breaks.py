"""Meanings of the tie-breaks of events, and the validator of their stored codes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.localize import join_parts
from ratings.systems.tiebreaks import POINTS_ONLY, TieBreak, parse_tie_breaks

TIE_BREAK_LENGTH = 60
"""Maximum number of characters of stored codes, such as “sos,sodos”."""
TIE_BREAK_MEANINGS: Mapping[TieBreak, Any] = MappingProxyType(
    {
        TieBreak.SOS: gettext_lazy("sum of the opponents' scores; a round without a game adds nothing"),
        TieBreak.SOS_CUT: gettext_lazy("sum of the opponents' scores without the lowest"),
        TieBreak.SOS_MEDIAN: gettext_lazy("sum of the opponents' scores without the highest and the lowest"),
        TieBreak.SOSOS: gettext_lazy("sum of the opponents' SOS (Buchholz) values"),
        TieBreak.SODOS: gettext_lazy("sum of the defeated opponents' scores, half of it for a draw"),
        TieBreak.WINS: gettext_lazy("number of games won"),
        TieBreak.DIRECT: gettext_lazy("points against each other, if all tied players have met"),
    }
)


def validate_tie_breaks(value: str) -> None:
    """Raise ValidationError if the value is not a valid list of tie-break codes."""
    unknown = [code for code in value.split(",") if value not in ("", POINTS_ONLY) and code not in set(TieBreak)]
    if unknown:
        names = {"unknown": join_parts(unknown), "known": join_parts(TieBreak)}
        raise ValidationError(_("Unknown tie-breaks: %(unknown)s. Possible are: %(known)s.") % names)
    try:
        parse_tie_breaks(value)
    except ValueError:
        raise ValidationError(_("Choose each tie-break once, and at most four.")) from None
