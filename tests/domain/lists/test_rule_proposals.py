"""The life of a proposal: drafts, publication, adoption and the way back, and successor lists."""

import datetime as dt

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.core.management import call_command

from ratings.domain.lists import proposal_effects
from ratings.domain.lists.adjustments import save_adjustment, save_option_changes
from ratings.domain.lists.proposal_effects import request_late_effects, store_effects
from ratings.domain.lists.rule_proposals import (
    adopt_proposal,
    discard_draft,
    publish_proposal,
    reject_proposal,
    reopen_proposal,
    save_proposal,
    withdraw_proposal,
)
from ratings.domain.lists.successors import start_due_successors
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.domain.site.acting import act_as
from ratings.localize import format_day
from ratings.models import Adjustment, Event, RatingList, RuleEffect, RuleProposal
from ratings.queries.lists.lists import published_standings
from ratings.systems.values import OptionChange
from tests.factories import give_ratings, make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db
IN_FORCE = dt.date(2024, 6, 1)


@pytest.fixture
def rating_list(rate_all):
    made = make_list(system="glicko-2")
    players = [make_player("Ada", public_id="A"), make_player("Ben", public_id="B")]
    for player in players:
        opening = {"rating": 1500}
        save_adjustment(Adjustment(list=made, player=player, date=dt.date(2020, 1, 1), set=opening, reason="known"))
    for day in ("2024-01-06", "2024-07-06"):
        make_table(made, players, [(1, 1, 2, 1.0)], day)
    rate_all()
    made.refresh_from_db()
    return made


@pytest.fixture
def officer():
    user = make_user("officer")
    with act_as(user):
        yield user


def propose(rating_list, **more):
    fields = {
        "list": rating_list, "title": "Sooner", "reason": "Form changes.", "proposed_by": "Committee",
        "system": rating_list.system, "options": {"tau": 1.2}, "in_force": IN_FORCE, "since": dt.date(2024, 1, 1),
    }  # fmt: skip
    proposal = RuleProposal(**fields | more)
    save_proposal(proposal)
    store_effects(proposal.pk)
    proposal.refresh_from_db()
    return proposal


def publish(proposal):
    publish_proposal(proposal, on=IN_FORCE - dt.timedelta(days=30))


def steps(proposal):
    return [(step.what, step.reason) for step in proposal.steps.all()]


def changes_of(rating_list):
    rating_list.refresh_from_db()
    return rating_list.option_changes


def test_draft_gets_the_effect_on_every_player(rating_list):
    proposal = propose(rating_list, options={"tau": 1.2, "idle_days": 5})
    effects = {effect.player.public_id: effect for effect in proposal.effects.select_related("player")}
    standings = {line.player.public_id: line.rating for line in rating_list.standings.all()}
    assert {id: effect.present for id, effect in effects.items()} == standings
    assert {id: effect.on_day for id, effect in effects.items()} == standings
    assert all(effect.change for effect in effects.values())
    assert proposal.figures["on_day"]
    assert (proposal.work, proposal.error) == ("done", "")
    assert proposal.figures["present"]["largest"] != proposal.figures["proposed"]["largest"]


def test_adopted_options_are_in_force_from_their_day_on_and_reopening_takes_them_back(rating_list, officer):
    before = stored_digest(rating_list)
    proposal = propose(rating_list)
    publish(proposal)
    adopt_proposal(proposal, "Voted on 5 May.")
    assert changes_of(rating_list) == [{"date": "2024-06-01", "options": {"tau": 1.2}, "reason": "Sooner"}]
    assert rating_list.out_of_date_from == IN_FORCE
    rerate(rating_list.pk)
    assert stored_digest(rating_list) != before
    assert list(find_differences(RatingList.objects.get())) == []
    reopen_proposal(proposal, "The vote was void.")
    assert changes_of(rating_list) == []
    rerate(rating_list.pk)
    assert stored_digest(rating_list) == before
    assert steps(proposal) == [("published", ""), ("adopted", "Voted on 5 May."), ("reopened", "The vote was void.")]


def test_reopening_keeps_other_options_of_the_same_day(rating_list, officer):
    save_option_changes(rating_list, [OptionChange(IN_FORCE, {"idle_days": 9}, "old")])
    proposal = propose(rating_list)
    publish(proposal)
    adopt_proposal(proposal, "")
    assert [change["options"] for change in changes_of(rating_list)] == [{"idle_days": 9, "tau": 1.2}]
    reopen_proposal(proposal, "void")
    assert [change["options"] for change in changes_of(rating_list)] == [{"idle_days": 9}]


@pytest.mark.parametrize(("decide", "state"), [(reject_proposal, "rejected"), (withdraw_proposal, "withdrawn")])
def test_rejected_and_withdrawn_proposals_change_nothing_and_can_be_reopened(rating_list, officer, decide, state):
    proposal = propose(rating_list)
    publish(proposal)
    decide(proposal, "No.")
    proposal.refresh_from_db()
    assert (proposal.state, changes_of(rating_list)) == (state, [])
    reopen_proposal(proposal, "Asked again.")
    assert steps(proposal) == [("published", ""), (state, "No."), ("reopened", "Asked again.")]


def test_officer_who_published_cannot_adopt_where_a_second_one_confirms(rating_list, officer):
    RatingList.objects.update(four_eyes=True)
    proposal = propose(rating_list)
    publish(proposal)
    with pytest.raises(ValidationError) as refused:
        adopt_proposal(proposal, "")
    assert refused.value.messages == ["You published this proposal: another officer must adopt it."]
    with act_as(make_user("second")):
        adopt_proposal(proposal, "")
    proposal.refresh_from_db()
    assert proposal.state == "adopted"


def test_later_change_of_the_same_option_prevents_an_adoption(rating_list, officer):
    proposal = propose(rating_list)
    publish(proposal)
    save_option_changes(rating_list, [OptionChange(dt.date(2024, 8, 1), {"tau": 0.3})])
    with pytest.raises(ValidationError) as refused:
        adopt_proposal(proposal, "")
    assert refused.value.messages == [
        "The list changes these options on 1 Aug 2024, by another decision. Choose a later day."
    ]


@pytest.mark.parametrize("step", [publish_proposal, discard_draft, save_proposal])
def test_steps_of_drafts_are_refused_once_published(rating_list, officer, step):
    proposal = propose(rating_list)
    publish(proposal)
    with pytest.raises(ValidationError) as refused:
        step(proposal)
    assert refused.value.messages == ["Nothing was done: the proposal is open for comments by now."]


def test_draft_is_not_published_before_its_effects_are_known(rating_list, officer, monkeypatch):
    monkeypatch.setattr(proposal_effects, "send_task", lambda *_arguments: None)
    proposal = RuleProposal(
        list=rating_list, title="t", reason="r", proposed_by="p", system="glicko-2", options={"tau": 1.2},
        in_force=IN_FORCE, since=IN_FORCE,
    )  # fmt: skip
    save_proposal(proposal)
    with pytest.raises(ValidationError, match="The effects are not computed yet"):
        publish(proposal)
    discard_draft(proposal)
    assert RuleProposal.objects.count() == 0


@pytest.mark.parametrize(("days", "is_published"), [(30, True), (29, False), (-500, False)])
def test_rules_come_into_force_thirty_days_after_publication(rating_list, officer, days, is_published):
    proposal, on = propose(rating_list), IN_FORCE - dt.timedelta(days=days)
    if is_published:
        publish_proposal(proposal, on=on)
    else:
        with pytest.raises(ValidationError) as refused:
            publish_proposal(proposal, on=on)
        earliest = format_day(on + dt.timedelta(days=30))
        assert refused.value.messages == [
            f"Rules come into force at least 30 days after they are published: choose {earliest} or a later day."
        ]
    proposal.refresh_from_db()
    assert proposal.state == ("open" if is_published else "draft")


def test_draft_is_published_today_unless_another_day_is_given(rating_list, officer):
    proposal = propose(rating_list)
    with time_machine.travel(dt.datetime(2024, 5, 2, 12, tzinfo=dt.UTC), tick=False):
        publish_proposal(proposal)
    proposal.refresh_from_db()
    assert proposal.state == "open"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"options": {"tau": 9}}, "1 Jun 2024: tau: 9 cannot be; it takes a number from 0.2 to 1.5"),
        ({"options": {}}, "a change of options needs at least one option"),
        ({"options": {"period": "month"}}, "period cannot change to month: it holds from a list’s first day on"),
        ({"successor_slug": "fesa", "successor_name": "F"}, "A list with this short name exists already."),
    ],
)
def test_rules_that_the_list_cannot_take_are_refused(rating_list, fields, problem):
    with pytest.raises(ValidationError) as refused:
        propose(rating_list, **fields)
    assert refused.value.messages == [problem]


def test_rules_that_do_not_cover_the_results_fail_with_the_reason(rating_list, monkeypatch):
    monkeypatch.setattr(proposal_effects, "compute_effects", fail)
    proposal = propose(rating_list)
    assert (proposal.work, proposal.error) == ("failed", "2024-01-06: not covered")


def fail(*_arguments, **_more):
    raise ValueError("2024-01-06: not covered")


def test_draft_that_was_changed_meanwhile_keeps_no_outdated_effects(rating_list, monkeypatch):
    proposal = propose(rating_list)
    RuleEffect.objects.all().delete()
    RuleProposal.objects.update(work="waiting")
    compute = proposal_effects.compute_effects

    def change_meanwhile(*arguments, **more):
        save_proposal(proposal)
        return compute(*arguments, **more)

    monkeypatch.setattr(proposal_effects, "send_task", lambda *_arguments: None)
    monkeypatch.setattr(proposal_effects, "compute_effects", change_meanwhile)
    store_effects(proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.work, proposal.figures, RuleEffect.objects.count()) == ("waiting", None, 0)


def test_lost_messages_are_sent_again(rating_list, monkeypatch):
    proposal, sent = propose(rating_list), []
    monkeypatch.setattr(proposal_effects, "send_task", lambda task, pk: sent.append((task, pk)))
    long_ago = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    for work, expected in (("done", []), ("running", [("ratings.effects", proposal.pk)])):
        RuleProposal.objects.update(work=work, work_at=long_ago, made_at=long_ago)
        request_late_effects()
        assert sent == expected


SUCCESSOR = {"system": "icu-1989", "options": {}, "successor_slug": "new", "successor_name": "New list"}


def test_effects_that_fail_unexpectedly_say_so(rating_list, officer, monkeypatch, caplog):
    def fail(*arguments, **more):
        raise ZeroDivisionError

    proposal = propose(rating_list)
    RuleProposal.objects.update(work="waiting")
    monkeypatch.setattr(proposal_effects, "compute_effects", fail)
    store_effects(proposal.pk)
    proposal.refresh_from_db()
    expected = "failed unexpectedly; the administrators find the reason in the log"
    assert (proposal.work, proposal.error) == ("failed", expected)
    assert f"effects of proposal {proposal.pk} failed" in caplog.text


def test_successor_of_another_scale_is_refused(rating_list, officer):
    with pytest.raises(ValidationError) as raised:
        propose(rating_list, **SUCCESSOR | {"system": "egf-2021"})
    text = (
        "A list rated by “European Go Federation rating (2021)” cannot begin with ratings of “Glicko-2”: their scales"
        " differ. Create a list of its own."
    )
    assert raised.value.messages == [text]
    assert not RuleProposal.objects.exists()


def test_successor_of_a_go_list_begins_in_its_own_points(officer, rate_all):
    """The Belgian federation's own conversion: its 0 is 2050 on the European list."""
    made = make_list("go", system="bgf")
    players = [make_player("Ada", public_id="A"), make_player("Ben", public_id="B")]
    for player, rating in zip(players, (150, -1550), strict=True):
        opening = {"rating": rating}
        save_adjustment(Adjustment(list=made, player=player, date=dt.date(2020, 1, 1), set=opening, reason="known"))
    rate_all()
    made.refresh_from_db()
    proposal = propose(made, **SUCCESSOR | {"system": "egf-2021"})
    store_effects(proposal.pk)
    effects = proposal.effects.order_by("-present").values_list("present", "on_day", "rating")
    assert list(effects) == [(2200, 2200, 2200), (500, 500, 500)]
    publish(proposal)
    adopt_proposal(proposal, "Voted.")
    start_due_successors()
    opened = Adjustment.objects.filter(list__slug="new").order_by("player__public_id").values_list("set", flat=True)
    assert [opening["rating"] for opening in opened] == [2200, 500]


def test_successor_starts_on_its_day_with_the_ratings_of_the_day_before(rating_list, officer, rate_all):
    event = make_event("Next", "2024-09-07", [rating_list], state=Event.State.DRAFT)
    proposal = propose(rating_list, **SUCCESSOR)
    publish(proposal)
    start_due_successors()
    assert RatingList.objects.count() == 1
    adopt_proposal(proposal, "Voted.")
    start_due_successors()
    start_due_successors()
    rate_all()
    new = RatingList.objects.get(slug="new")
    old_ratings = {
        line.player.public_id: line.after
        for line in rating_list.changes.filter(day="2024-01-06").select_related("player")
    }
    assert (new.predecessors.get(), new.begins_on, new.system, new.public) == (rating_list, IN_FORCE, "icu-1989", True)
    started = new.changes.filter(day=dt.date(2024, 5, 31)).values_list("player__public_id", "after")
    assert dict(started) == {id: round(rating) for id, rating in old_ratings.items()}
    assert set(new.rated_tables.values_list("day", flat=True)) == {dt.date(2024, 7, 6)}
    assert set(rating_list.rated_tables.values_list("day", flat=True)) == {dt.date(2024, 1, 6)}
    assert set(Adjustment.objects.filter(list=new).values_list("date", flat=True)) == {dt.date(2024, 5, 31)}
    assert list(event.lists.all()) == [new]
    assert steps(proposal) == [("published", ""), ("adopted", "Voted."), ("started", "")]
    with pytest.raises(ValidationError, match="The successor list has started"):
        reopen_proposal(proposal, "no")


@pytest.mark.parametrize(("day", "lists"), [(IN_FORCE, ["fesa", "new"]), (dt.date(2999, 1, 1), ["fesa"])])
def test_adoption_starts_a_successor_whose_day_has_come(
    rating_list, officer, day, lists, django_capture_on_commit_callbacks
):
    proposal = propose(rating_list, **SUCCESSOR, in_force=day)
    publish(proposal)
    with django_capture_on_commit_callbacks(execute=True):
        adopt_proposal(proposal, "")
    assert sorted(RatingList.objects.values_list("slug", flat=True)) == lists


def test_command_without_a_worker_starts_and_rates_the_successor(rating_list, officer):
    proposal = propose(rating_list, **SUCCESSOR)
    publish(proposal)
    adopt_proposal(proposal, "")
    call_command("sweep")
    new = RatingList.objects.get(slug="new")
    assert (new.out_of_date_from, new.standings.count()) == (None, 2)


def test_successor_shows_those_who_were_active_on_the_old_list(rating_list, officer, rate_all):
    opening = {"rating": 1700}
    gone = make_player("Cleo", public_id="C")
    save_adjustment(Adjustment(list=rating_list, player=gone, date=dt.date(2020, 1, 1), set=opening, reason="known"))
    make_table(rating_list, [gone, make_player("Dan", public_id="D")], [(1, 1, 2, 1.0)], "2020-02-01")
    rate_all()
    propose_and_adopt(rating_list)
    start_due_successors()
    rate_all()
    new = RatingList.objects.get(slug="new")
    assert {line.player.public_id for line in published_standings(new, IN_FORCE)} == {"A", "B"}
    assert {line.player.public_id for line in published_standings(new, None)} == {"A", "B", "C", "D"}


def propose_and_adopt(rating_list):
    proposal = propose(rating_list, **SUCCESSOR)
    publish(proposal)
    adopt_proposal(proposal, "")


def test_successor_waits_until_its_day_has_come(rating_list, officer):
    proposal = propose(rating_list, **SUCCESSOR, in_force=dt.date(2999, 1, 1))
    publish(proposal)
    adopt_proposal(proposal, "")
    start_due_successors()
    assert RatingList.objects.count() == 1
    reopen_proposal(proposal, "too late")
    proposal.refresh_from_db()
    assert proposal.state == "open"


def test_successor_waits_while_the_old_list_is_out_of_date(rating_list, officer):
    proposal = propose(rating_list, **SUCCESSOR)
    publish(proposal)
    adopt_proposal(proposal, "")
    RatingList.objects.update(out_of_date_from=IN_FORCE)
    start_due_successors()
    assert RatingList.objects.count() == 1


def test_grades_held_on_the_old_list_are_prior_grades_of_the_successor(officer, rate_all):
    old = make_list(system="fesa-2016")
    players = [make_player("Ada", public_id="A"), make_player("Ben", public_id="B")]
    give_ratings(old, players, 1500)
    make_table(old, players, [(1, 1, 2, 1.0)], "2024-01-06", minutes=90)
    rate_all()
    old.refresh_from_db()
    held = dict(old.standings.values_list("player__public_id", "grade"))
    proposal = propose(old, system="fesa-2000", options={}, successor_slug="new", successor_name="New")
    publish(proposal)
    adopt_proposal(proposal, "")
    start_due_successors()
    new = RatingList.objects.get(slug="new")
    assert dict(new.members.values_list("player__public_id", "prior_grade")) == {
        id: grade for id, grade in held.items() if grade
    }


def test_comparison_stays_with_the_old_list_and_rates_its_events_only(rating_list, officer, rate_all):
    day = dt.date(2020, 1, 1)
    comparison = make_list("compared", system="fesa-2000", comparison_to=rating_list, out_of_date_from=day)
    rate_all()
    assert comparison.rated_tables.count() == 2
    propose_and_adopt(rating_list)
    start_due_successors()
    rate_all()
    comparison.refresh_from_db()
    assert comparison.comparison_to == rating_list
    assert set(comparison.rated_tables.values_list("day", flat=True)) == {dt.date(2024, 1, 6)}
    assert not RatingList.objects.get(slug="new").comparisons.exists()
