"""Standings of a running event from its hall, with the ratings that the players would have now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from portal.site.page_links import player_address
from portal.templatetags.portal_format import format_place
from ratings.models import ANONYMOUS_NAME, Event, Hall, Player, RatingList, Standing
from ratings.queries.events.events import lists_of, public_lists_of
from ratings.queries.players.names import contain_hidden_names
from ratings.queries.players.player_details import players_with_details
from ratings.queries.results.halls import HallState, Person, Score, rank_people, read_hall


@dataclass(frozen=True)
class StandingRow:
    """A line of the standings; `change` is the provisional change of the rating, None if there is none.

    `address` is that of the player's page, empty for a name that is not known yet.
    """

    rank: str
    family: str
    given: str
    country: str
    address: str
    points: float
    rating: float | None
    change: float | None
    is_new: bool


@dataclass(frozen=True)
class RunningStandings:
    """Standings after the last complete round, and the list on which the ratings are."""

    rows: list[StandingRow]
    rounds: int
    rating_list: RatingList | None
    is_provisional: bool


def find_running_standings(event: Event) -> RunningStandings | None:
    """Return the public standings of an event whose results are not accepted; None without a hall with results."""
    hall = Hall.objects.filter(event=event).first()
    if hall is None:
        return None
    state = read_hall(hall)
    lists = public_lists_of(event)
    return build_standings(hall, state, next(iter(lists), None), public=True) if state.has_results else None


def build_hall_standings(hall: Hall, state: HallState) -> RunningStandings:
    """Return the standings for those who enter results, with the names as entered."""
    return build_standings(hall, state, next(iter(lists_of(hall.event)), None), public=False)


def build_standings(hall: Hall, state: HallState, rating_list: RatingList | None, *, public: bool) -> RunningStandings:
    """Return the standings of a hall on a list; with `public`, hidden names are not displayed."""
    players = players_with_details(person.player for person in state.people.values() if person.player)
    known = find_ratings(rating_list, state, players)
    rows = hall.provisional.get(rating_list.slug, []) if rating_list else []
    changes = {id: (before, after) for id, before, after in rows}
    displayed = {
        id: display_person(person, players.get(person.player)) if public else _use_entered_name(person, players)
        for id, person in state.people.items()
    }
    names = {id: f"{family} {given}".casefold() for id, (family, given, _) in displayed.items()}
    ratings = {id: standing.rating or 0.0 for id, standing in known.items()}
    scores = rank_people(state, state.completed, ratings, names)
    return RunningStandings(
        [_build_row(score, displayed[score.person.id], players, known, changes, rating_list) for score in scores],
        state.completed,
        rating_list,
        bool(changes),
    )


def _use_entered_name(person: Person, players: Mapping[str, Player]) -> tuple[str, str, str]:
    player = players.get(person.player)
    return person.family, person.given, person.country or ("" if player is None else str(player.country))


def find_ratings(
    rating_list: RatingList | None, state: HallState, players: Mapping[str, Player]
) -> dict[int, Standing]:
    """Return the published standings on a list of the people of a hall, by the ids of the people."""
    standings = Standing.objects.filter(list=rating_list, published=True, player__in=[p.pk for p in players.values()])
    by_player = {standing.player_id: standing for standing in standings}
    found = {id: players[person.player].pk for id, person in state.people.items() if person.player in players}
    return {id: by_player[pk] for id, pk in found.items() if pk in by_player}


def _build_row(
    score: Score,
    displayed: tuple[str, str, str],
    players: Mapping[str, Player],
    known: Mapping[int, Standing],
    changes: Mapping[int, tuple[float | None, float | None]],
    rating_list: RatingList | None,
) -> StandingRow:
    player, standing = players.get(score.person.player), known.get(score.person.id)
    before, after = changes.get(score.person.id, (None, None))
    return StandingRow(
        format_place(score.rank, is_shared=score.is_shared),
        *displayed,
        player_address(player, rating_list) if player is not None else "",
        score.points,
        None if standing is None else standing.rating,
        None if standing is None or before is None or after is None else after - before,
        standing is None and after is not None,
    )


def display_person(person: Person, player: Player | None) -> tuple[str, str, str]:
    """Return family name, given name and country of a person as the public may see them.

    A name that is not known yet, but contains the name of a hidden player, may be theirs and is not displayed.
    """
    if player is not None and player.is_anonymous:
        return player.public_name, "", ""
    if player is not None:
        return player.public_family, player.public_given, str(player.country)
    if contain_hidden_names([person.name]):
        return ANONYMOUS_NAME, "", ""
    return person.family, person.given, person.country
