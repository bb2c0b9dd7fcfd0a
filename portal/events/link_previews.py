"""Descriptions and cards of events and of explained rating changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.charts.card import Card, Row
from portal.events.change_sentences import describe_change, describe_closing
from portal.events.sections import TableSection
from portal.players.link_previews import count_rank, describe_rank
from portal.site.federation_identity import identity_of
from portal.site.link_preview import LinkPreview, as_text, list_places
from portal.site.page_links import add_query
from portal.templatetags.portal_format import announced_state, comma_name, points, rating, sign_class, signed
from ratings.localize import format_day, format_days, join_details, join_parts
from ratings.models import Event, Federation, Player, RatedTable, RatingList, Standing
from ratings.queries.events.closing_explanations import ClosingExplanation
from ratings.queries.events.explanations import Explanation
from ratings.queries.players.players import RankAmong, rank_among_active


class PodiumPlace(NamedTuple):
    """A place on the podium with the player's public name, the same with a comma, and the score, such as “4 of 5”."""

    place: int
    name: str
    comma_name: str
    score: str


def list_podium(section: TableSection) -> list[PodiumPlace]:
    """Return the places of a table's podium; empty if too many players share them."""
    rounds = section.crosstable.rounds
    return [
        PodiumPlace(
            place,
            row.entry.player.public_name,
            comma_name(row.entry.player),
            _("%(points)s of %(rounds)s") % {"points": points(row.won), "rounds": rounds},
        )
        for place, row in section.podium
    ]


def build_event_preview(event: Event, podium: Sequence[PodiumPlace], query: str = "") -> LinkPreview:
    """Return the preview of an event's pages; `query` names the list and the table, as in their addresses."""
    sentences = [_describe_date(event)]
    if event.state == Event.State.VOID:
        sentences.append(_("The results are void."))
    elif podium:
        names = list_places((each.place, each.name) for each in podium)
        sentences.append(_("First places: %(names)s.") % {"names": names})
    return LinkPreview(" ".join(sentences), add_query(reverse("event_card", args=[event.public_id]), query))


def _describe_date(event: Event) -> str:
    values = {"event": event.name, "place": _write_place(event), "days": format_days(event.start, event.end)}
    is_over = event.end < timezone.localdate()
    if values["place"]:
        pattern = (
            _("%(event)s took place in %(place)s (%(days)s).")
            if is_over
            else _("%(event)s takes place in %(place)s (%(days)s).")
        )
    else:
        pattern = _("%(event)s took place (%(days)s).") if is_over else _("%(event)s takes place (%(days)s).")
    return pattern % values


def _write_place(event: Event) -> str:
    return join_parts([event.place, event.country.name if event.country else ""])


def event_card(
    event: Event, rating_list: RatingList | None, podium: Sequence[PodiumPlace], federation: Federation | None
) -> Card:
    """Return the card of an event; `federation` is the one whose identity it has, None for the portal."""
    sentence = ""
    if event.state == Event.State.VOID:
        sentence = _("The results are void.")
    elif event.state != Event.State.ACCEPTED:
        sentence = announced_state(event).capitalize()
    return Card(
        identity_of(federation),
        rating_list.label if rating_list else "",
        event.name,
        [join_details([format_days(event.start, event.end), _write_place(event)])],
        rows=[Row(each.place, each.comma_name, "", each.score) for each in podium] if not sentence else (),
        sentence=sentence,
    )


def build_change_preview(explanation: Explanation, rated: RatedTable, sentences: Sequence[SafeString]) -> LinkPreview:
    """Return the preview of the page that explains a rating change; the sentences are those on the page."""
    change = explanation.change
    address = reverse("explanation_card", args=[rated.list.slug, rated.table_id, change.player.public_id])
    description = as_text(sentences) or _("%(name)s at %(event)s on %(day)s.") % {
        "name": change.player.public_name,
        "event": rated.table.event.name,
        "day": format_day(rated.table.event.end),
    }
    ranked = describe_current_rank(change.player_id, explanation.row.after, rated.list)
    return LinkPreview(" ".join([description, *ranked]), address)


def build_closing_preview(explanation: ClosingExplanation, rating_list: RatingList) -> LinkPreview:
    """Return the preview of the page that explains a rating change on a closing day."""
    change = explanation.change
    address = reverse("closing_card", args=[rating_list.slug, change.day, change.player.public_id])
    ranked = describe_current_rank(change.player_id, explanation.row.after, rating_list)
    return LinkPreview(" ".join([as_text([describe_closing(explanation, rating_list)]), *ranked]), address)


def find_current_rank(player: int, after: float | None, rating_list: RatingList) -> RankAmong | None:
    """Return the player's current rank; None if the player is inactive, or if `after` is not their current rating.

    `player` is the primary key.
    """
    standing = Standing.objects.filter(list=rating_list, player=player, rating=after).first()
    if after is None or standing is None:
        return None
    standing.list = rating_list
    return rank_among_active(standing, timezone.localdate())


def describe_current_rank(player: int, after: float | None, rating_list: RatingList) -> list[str]:
    """Return the sentence about the player's current rank; an empty list without one."""
    ranked = find_current_rank(player, after, rating_list)
    return [describe_rank(ranked)] if ranked else []


class RatingChange(NamedTuple):
    """A change on a card: ratings before and after, the change, what changed them, and the sentence about it."""

    player: Player
    before: float | None
    after: float | None
    change: float | None
    cause: str
    sentence: str


def change_card(changed: RatingChange, rating_list: RatingList, federation: Federation | None) -> Card:
    """Return the card of an explained rating change; `federation` is the one whose identity it has."""
    ratings = [rating(value, rating_list) for value in (changed.before, changed.after) if value is not None]
    ranked = find_current_rank(changed.player.pk, changed.after, rating_list)
    return Card(
        identity_of(federation),
        rating_list.label,
        comma_name(changed.player),
        [changed.cause],
        figure=" → ".join(ratings) or "–",
        change=signed(changed, rating_list),
        tone=sign_class(changed.change),
        facts=[(_("Rank"), count_rank(ranked))] if ranked else [],
        sentence=changed.sentence,
    )


def explanation_card(
    explanation: Explanation, rated: RatedTable, *, is_peak: bool, federation: Federation | None
) -> Card:
    """Return the card of a change in a table; `federation` is the one whose identity it has."""
    row, event = explanation.row, rated.table.event
    sentence = as_text(describe_change(explanation, rated, is_peak=is_peak))
    cause = f"{event.name}, {format_day(event.end)}"
    changed = RatingChange(explanation.change.player, row.before, row.after, row.change, cause, sentence)
    return change_card(changed, rated.list, federation)


def closing_card(explanation: ClosingExplanation, rating_list: RatingList, federation: Federation | None) -> Card:
    """Return the card of a change on a closing day; `federation` is the one whose identity it has."""
    row, change = explanation.row, explanation.change
    cause = _("List of %(day)s") % {"day": format_day(change.day)}
    sentence = as_text([describe_closing(explanation, rating_list)])
    changed = RatingChange(change.player, row.before, row.after, row.change, cause, sentence)
    return change_card(changed, rating_list, federation)
