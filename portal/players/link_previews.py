"""Descriptions and cards of players and of comparisons of two players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.charts.card import Card, Side
from portal.site.federation_identity import identity_of
from portal.site.link_preview import LinkPreview
from portal.templatetags.portal_format import (
    MARKS,
    as_sentence,
    colon,
    comma_name,
    points,
    rating,
    sign_class,
    signed,
)
from ratings.localize import category_label, format_day, join_details
from ratings.models import Federation, Player, RatingList, Standing
from ratings.queries.players.careers import Career
from ratings.queries.players.players import Facts, RankAmong, Step, rank_among_active
from ratings.queries.players.versus import Versus


class PlayerFigures(NamedTuple):
    """A player's career on a list, the facts at its end, the rank (None: not ranked) and the last event."""

    career: Career
    facts: Facts
    ranked: RankAmong | None
    last_event: Step | None


def build_player_preview(player: Player, figures: PlayerFigures | None) -> LinkPreview:
    """Return the preview of a player's pages; None for a player without a rating."""
    address = reverse("player_card", args=[player.public_id])
    if figures is None:
        return LinkPreview(_("%(name)s has no public rating.") % {"name": player.public_name}, address)
    description = " ".join(_describe_player(player, figures))
    return LinkPreview(description, f"{address}?list={figures.career.rating_list.slug}")


def _describe_player(player: Player, figures: PlayerFigures) -> list[str]:
    career, facts, ranked, last_event = figures
    values = {
        "name": player.public_name,
        "rating": rating(facts.rating, career.rating_list),
        "list": career.rating_list.label,
        "grade": facts.grade,
    }
    pattern = (
        _("%(name)s has a rating of %(rating)s on %(list)s and holds %(grade)s.")
        if facts.grade
        else _("%(name)s has a rating of %(rating)s on %(list)s.")
    )
    sentences = [pattern % values]
    if ranked:
        sentences.append(describe_rank(ranked))
    if last_event:
        sentences.append(_describe_last_event(last_event, career.rating_list))
    return sentences


def describe_rank(ranked: RankAmong) -> str:
    """Return the sentence about the rank that a rating gives."""
    pattern = ngettext(
        "That is rank %(rank)d of %(players)d active player.",
        "That is rank %(rank)d of %(players)d active players.",
        ranked.players,
    )
    return pattern % ranked._asdict()


def _describe_last_event(step: Step, rating_list: RatingList) -> str:
    point = step.point
    values = {"event": point.what, "day": format_day(point.day), "change": signed(point, rating_list)}
    if point.change is None:
        return _("The first rating came from %(event)s on %(day)s.") % values
    return _("The last event, %(event)s on %(day)s, changed the rating by %(change)s.") % values


def player_card(player: Player, figures: PlayerFigures | None, federation: Federation | None) -> Card:
    """Return the card of a player; `federation` is the one whose identity it has, None for the portal."""
    names = [player.public_native, str(player.country.name) if player.country else ""]
    names += [] if player.is_anonymous else [str(membership.club) for membership in player.present]  # type: ignore[attr-defined] # prefetched
    identity, lines = identity_of(federation), [join_details(names)]
    if figures is None:
        return Card(identity, "", comma_name(player), lines, sentence=_("No public rating."))
    career, facts, ranked, last_event = figures
    changed = last_event.point if last_event else None
    curve = [(point.day, point.after or 0) for point in career.rated]
    return Card(
        identity,
        career.rating_list.label,
        comma_name(player),
        [*lines, *([category_label(facts.category)] if facts.category in MARKS else [])],
        figure=rating(facts.rating, career.rating_list),
        grade=facts.grade,
        change=signed(changed, career.rating_list),
        tone=sign_class(changed.change if changed else None),
        facts=_list_facts(ranked, last_event),
        sentence=_describe_last_event(last_event, career.rating_list) if last_event and len(curve) < 2 else "",
        curve=curve,
    )


def _list_facts(ranked: RankAmong | None, last_event: Step | None) -> list[tuple[str, str]]:
    facts = [(_("Rank"), count_rank(ranked))]
    if last_event:
        day = format_day(last_event.point.day).replace(" ", "\N{NO-BREAK SPACE}")
        facts.append((_("Last event"), f"{last_event.point.what}, {day}"))
    return facts


def count_rank(ranked: RankAmong | None) -> str:
    """Return a rank among the active players as text, such as “2 of 120”."""
    return _("%(rank)s of %(players)s") % ranked._asdict() if ranked else _("not ranked")


class Duel(NamedTuple):
    """Two players and their comparison on a list; None if they share no list."""

    player: Player
    rival: Player
    versus: Versus | None
    rating_list: RatingList | None


def build_duel_preview(duel: Duel) -> LinkPreview:
    """Return the preview of a comparison of two players."""
    address = reverse("versus_card", args=[duel.player.public_id, duel.rival.public_id])
    query = f"?list={duel.rating_list.slug}" if duel.rating_list else ""
    return LinkPreview(" ".join(_describe_duel(duel)), f"{address}{query}")


def _describe_duel(duel: Duel) -> list[str]:
    values = {"one": duel.player.public_name, "other": duel.rival.public_name}
    versus, rating_list = duel.versus, duel.rating_list
    if versus is None or rating_list is None:
        return [_("%(one)s and %(other)s share no list and have not played each other.") % values]
    if not versus.games:
        return [_("%(one)s and %(other)s have not met yet.") % values, *_describe_ratings(duel)]
    scores = {"points": points(versus.points), "rival_points": points(versus.rival_points)}
    score = _("%(one)s against %(other)s: the score is %(points)s – %(rival_points)s.")
    return [score % (values | scores), describe_games(versus, duel.player.public_name), *_describe_ratings(duel)]


def _describe_ratings(duel: Duel) -> list[str]:
    if not duel.versus or not duel.versus.standing or not duel.versus.rival:
        return []
    own, other = duel.versus.standing, duel.versus.rival
    ratings = {"own": rating(own.rating, duel.rating_list), "other": rating(other.rating, duel.rating_list)}
    sides = [
        as_sentence(join_details([player.public_name, *_list_rank_and_change(standing)]))
        for player, standing in ((duel.player, own), (duel.rival, other))
    ]
    return [_("Their ratings are %(own)s and %(other)s.") % ratings, *sides]


def _list_rank_and_change(standing: Standing) -> list[str]:
    """Return the rank among the active players, and the change in the last event if there is one."""
    facts = [_write_rank(rank_among_active(standing, timezone.localdate()))]
    if standing.last_change is not None:
        facts.append(f"{colon(_('Last event'))} {signed(standing.last_change, standing.list)}")
    return facts


def _write_rank(ranked: RankAmong | None) -> str:
    return f"{colon(_('Rank'))} {count_rank(ranked)}" if ranked else count_rank(None)


def describe_games(versus: Versus, name: str) -> str:
    """Return the games won, drawn and lost by the first player, who is called `name`, as a sentence."""
    pattern = ngettext(
        "%(games)s game: %(name)s won %(won)s, drew %(drawn)s and lost %(lost)s.",
        "%(games)s games: %(name)s won %(won)s, drew %(drawn)s and lost %(lost)s.",
        len(versus.games),
    )
    counts = {"games": len(versus.games), "won": versus.won, "drawn": versus.drawn, "lost": versus.lost}
    return pattern % ({"name": name} | counts)


def duel_card(duel: Duel, federation: Federation | None) -> Card:
    """Return the card of a comparison of two players; `federation` is the one whose identity it has."""
    versus, rating_list = duel.versus, duel.rating_list
    sentences = _describe_duel(duel)
    return Card(
        identity_of(federation),
        rating_list.label if rating_list else "",
        lines=[_("Head to head")],
        figure=f"{points(versus.points)} – {points(versus.rival_points)}" if versus and versus.games else "–",
        sides=[
            Side(comma_name(duel.player), _describe_side(versus.standing if versus else None, rating_list)),
            Side(comma_name(duel.rival), _describe_side(versus.rival if versus else None, rating_list)),
        ],
        sentence=sentences[1] if versus and versus.games else sentences[0],
    )


def _describe_side(standing: Standing | None, rating_list: RatingList | None) -> Sequence[str]:
    if standing is None or standing.rating is None:
        return [_("No public rating.")]
    return [join_details([rating(standing.rating, rating_list), standing.grade]), *_list_rank_and_change(standing)]
