"""Successor lists: a list continued by another rating system, from the last ratings of the list before.

Later changes of the old list's ratings, by late results, corrections or points that wait for its next official list,
change the starting ratings of its successor, which is rated again then.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator

from django.db import transaction
from django.db.models import Q, QuerySet

from ratings.batches import in_batches
from ratings.domain.runs.marking import mark_event_out_of_date, mark_lists_out_of_date
from ratings.laboratory.conversion import convert_given_rating, convert_rating
from ratings.models import Adjustment, Change, Event, ListPlayer, RatingList, RuleProposal, RuleProposalStep, Standing
from ratings.models.messages import RecordReason, RunReason
from ratings.queries.lists.activity import active_standings
from ratings.queries.runs.states import latest_changes
from ratings.queries.runs.values import player_values
from ratings.systems.state_json import state_from_json
from ratings.time_zones import find_today

from .rule_proposals import record_step

DAY = dt.timedelta(days=1)
NOT_COPIED = {
    *("id", "version", "slug", "name", "system", "options", "option_changes"),
    *("out_of_date_from", "revision", "problem", "successor", "publish_from", "seed_list"),
}
"""Fields of a list that its successor does not take over."""
ROWS_AT_ONCE = 500
UNCHANGED_VERSION = Adjustment._meta.get_field("version").default
"""Version of a starting rating that nobody has changed since it was made."""


def start_due_successors() -> None:
    """Start the successor list of each adopted proposal whose day has come, once the old list is up to date."""
    waiting = RuleProposal.objects.filter(
        state=RuleProposal.State.ADOPTED, list__successor=None, list__out_of_date_from=None
    ).exclude(successor_slug="")
    for proposal in waiting.select_related("list__federation"):
        if proposal.in_force <= find_today(proposal.list.federation.time_zone):
            _start_successor(proposal.pk)


@transaction.atomic
def _start_successor(proposal_id: int) -> None:
    proposal = RuleProposal.objects.select_for_update().get(pk=proposal_id)
    old = RatingList.objects.select_for_update().get(pk=proposal.list_id)
    if old.successor_id is not None or proposal.state != RuleProposal.State.ADOPTED or old.out_of_date_from:
        return
    new = _copy_list(old, proposal)
    _copy_members(old, new)
    RatingList.objects.filter(pk=old.pk).update(successor=new)
    old.successor = new
    has_moved_results = _move_events(old, new, proposal.in_force)
    counted = Q(day__lt=proposal.in_force) if has_moved_results else Q()
    openings = list(_list_openings(old, new, latest_changes(old, counted)))
    Adjustment.objects.bulk_create(openings, ROWS_AT_ONCE)
    mark_lists_out_of_date([new], proposal.in_force - DAY, RunReason.SUCCESSOR_STARTED(list=old.slug))
    record_step(proposal, RuleProposalStep.What.STARTED)


def _copy_list(old: RatingList, proposal: RuleProposal) -> RatingList:
    """Return a new list with the settings and people of the old one, and the system and options of the proposal."""
    names = [field.attname for field in RatingList._meta.concrete_fields if field.name not in NOT_COPIED]
    new = RatingList(**{name: getattr(old, name) for name in names})
    new.slug, new.name = proposal.successor_slug, proposal.successor_name
    new.system, new.options, new.deviations_from = proposal.system, proposal.options, None
    new.begins_on = proposal.in_force
    new.full_clean()
    new.save()
    for name in ("trusted", "officers", "approvers"):
        getattr(new, name).set(getattr(old, name).all())
    return new


def _copy_members(old: RatingList, new: RatingList) -> None:
    """Copy the list's data about players; grades held on the old list are ranks of the new one, where it has them."""
    system = new.rating_system
    ranks = system.grading.ranks
    held = dict(old.standings.exclude(grade="").values_list("player", "grade"))
    known = {member.player_id: member for member in old.members.all()}
    rows = []
    for player in {**known, **held}:
        member = known.get(player, ListPlayer(player_id=player))
        grade = held.get(player) or member.prior_grade
        is_same = grade in ranks
        rows.append(
            ListPlayer(
                list=new,
                player_id=player,
                prior_grade=grade if is_same else "",
                prior_evidence=old.name if is_same and grade else "",
                start_year=member.start_year,
                member=member.member,
                withdrawn=member.withdrawn,
                fixed_rating=member.fixed_rating,
                fixed_deviation=member.fixed_deviation if system.rating.has_deviations else None,
            )
        )
    ListPlayer.objects.bulk_create(rows, ROWS_AT_ONCE)


def _list_openings(old: RatingList, new: RatingList, changes: QuerySet[Change]) -> Iterator[Adjustment]:
    """Yield the starting rating of each player who had one on the old list after the last of these changes of it.

    Players who were active there on the day before are active on the new list too, as by the import of a list.
    """
    assert new.begins_on is not None
    day = new.begins_on - DAY
    standings = Standing.objects.filter(active_standings(old, day), list=old)
    active = set(standings.values_list("player", flat=True))
    before, system = old.rating_system_on(day), new.rating_system
    stored = dict(changes.values_list("player", "state"))
    players, pks = player_values(old, pks=stored)
    for id, player in sorted(players.items()):
        if player.fixed or pks.get(id) not in stored:
            continue
        standing = before.rating.standing(state_from_json(before, stored[pks[id]]), player, day)
        if standing.rating is None:
            continue
        rating = convert_given_rating(standing.rating, before, system)
        if rating is None:  # the scales differ, which no proposal is accepted with
            continue
        opening = dict(convert_rating(rating, standing.games, system))
        is_active = pks[id] in active
        reason = RecordReason.OPENING() if is_active else RecordReason.CONTINUED(list=old.slug)
        yield Adjustment(list=new, player_id=pks[id], date=day, set=opening, reason=reason, source=old.slug)


def _move_events(old: RatingList, new: RatingList, day: dt.date) -> bool:
    """Let events that end on the day or later be rated on the successor list, and return whether one has results.

    An event with some tables before that day is on both lists, and each one rates the tables of its own days.
    """
    has_results = False
    for event in Event.objects.filter(lists=old, end__gte=day):
        event.lists.add(new)
        if not event.tables.filter(last_day__lt=day).exists():
            event.lists.remove(old)
        if event.state == Event.State.ACCEPTED:
            has_results = True
            mark_event_out_of_date(event, old, reason=RunReason.SUCCESSOR_STARTED(list=old.slug))
    return has_results


def renew_starting_ratings(old: RatingList, players: Collection[int]) -> None:
    """Renew the starting ratings of some players on the list's successor, after a run has rated the list again.

    `players` are primary keys. Starting ratings that an officer has changed stay. The successor is marked to be rated
    from the beginning if one differs.
    """
    new = old.successor
    if new is None or new.begins_on is None:
        return
    players = set(players)
    own = [row for row in new.adjustments.filter(source=old.slug, date=new.begins_on - DAY) if row.player_id in players]
    openings = {row.player_id: row for row in _list_openings(old, new, latest_changes(old, players=players))}
    outdated = []
    for row in own:
        opening = openings.pop(row.player_id) if row.player_id in openings else None
        if row.version == UNCHANGED_VERSION and (opening is None or opening.set != row.set):
            outdated.append(row.pk)
            if opening is not None:
                openings[row.player_id] = opening
    missing = [row for row in openings.values() if row.player_id in players]
    if not outdated and not missing:
        return
    for batch in in_batches(outdated):
        Adjustment.objects.filter(pk__in=batch).delete()
    Adjustment.objects.bulk_create(missing, ROWS_AT_ONCE)
    mark_lists_out_of_date([new], new.begins_on - DAY, RunReason.SEED_LIST_CHANGED(list=old.slug))
