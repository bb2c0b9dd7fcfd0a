"""Pages of proposed rules: drafts, the public page with its effects, decisions, the feed."""

import csv
import datetime as dt
import io
import re
from urllib.parse import urlencode

import pytest
import time_machine
from defusedxml.ElementTree import fromstring
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from portal.lists.proposal_page import list_figures
from portal.lists.proposal_sentences import describe_change
from portal.lists.views import proposals
from ratings.access import OFFICERS
from ratings.domain.lists.proposal_effects import store_effects
from ratings.domain.lists.studies import make_study
from ratings.domain.lists.successors import start_due_successors
from ratings.localize import format_day
from ratings.models import RatingList, RuleEffect, RuleProposal, Study
from tests.factories import make_list, make_player, make_table
from tests.portal.results.way import person
from tests.shared import reused

pytestmark = pytest.mark.django_db
CANDIDATES = [
    {"system": "glicko-2", "options": {"initial_deviation": 100}},
    {"system": "fesa-2000", "options": {}},
    {"system": "glicko-2", "options": {"initial_deviation": 350}},
    {"system": "glicko-2", "options": {"period": "month"}},
]
TEXTS = {"title": "Sooner", "reason": "Form changes.", "proposed_by": "Committee", "since_year": "2024"}
DRAFT = TEXTS | {"in_force": "2999-01-01", "comments_until": "2998-12-01"}


@pytest.fixture
@reused
def study(rate_all):
    rating_list = make_list(system="glicko-2")
    players = [make_player(name, public_id=name.upper()) for name in ("Ada", "Ben", "Cleo", "Dora")]
    for day in range(1, 13):
        make_table(rating_list, players, [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 1, 3, 1.0)], f"2024-{day:02}-01")
    rate_all()
    definition = {"candidates": CANDIDATES, "sweep": None, "resamples": 20}
    made = Study.objects.create(list=rating_list, definition=definition)
    make_study(made.pk)
    return Study.objects.get(pk=made.pk)


@pytest.fixture
def officer(client):
    client.force_login(person("officer", OFFICERS))
    return client


@pytest.fixture
def proposal(study, officer):
    officer.post(propose(study, 1), DRAFT)
    made = RuleProposal.objects.get()
    store_effects(made.pk)
    return RuleProposal.objects.get()


def propose(study, candidate):
    return f"{reverse('propose_rules', args=[study.list.slug, study.pk])}?candidate={candidate}"


def decide(client, proposal, button, reason="", **more):
    address = reverse("decide_proposal", args=[proposal.list.slug, proposal.pk])
    return client.post(address, {button: "1", "reason": reason}, **more)


def read(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_candidate_of_a_study_becomes_a_draft_that_only_officers_see(study, officer, client):
    assert "<b>100</b>" in read(officer, propose(study, 1))
    response = officer.post(propose(study, 1), DRAFT)
    proposal = RuleProposal.objects.get()
    assert response.url == proposal.get_absolute_url()
    assert (proposal.system, proposal.options, proposal.state) == ("glicko-2", {"initial_deviation": 100}, "draft")
    assert (proposal.in_force, proposal.since) == (dt.date(2999, 1, 1), dt.date(2024, 1, 1))
    assert "Only officers see it until you publish it." in read(officer, proposal.get_absolute_url())
    officer.logout()
    assert client.get(proposal.get_absolute_url()).status_code == 404
    assert "No proposals." in read(client, reverse("rule_proposals", args=[study.list.slug]))


def test_officers_without_a_second_factor_see_public_proposals_without_buttons(proposal, officer, settings):
    settings.SECOND_FACTOR = True
    assert officer.get(proposal.get_absolute_url()).status_code == 404
    assert "Sooner" not in read(officer, reverse("rule_proposals", args=[proposal.list.slug]))
    RuleProposal.objects.update(state="open")
    assert 'name="adopt"' not in read(officer, proposal.get_absolute_url())
    settings.SECOND_FACTOR = False
    assert 'name="adopt"' in read(officer, proposal.get_absolute_url())


def test_candidate_by_another_system_needs_the_name_of_a_successor_list(study, officer):
    refused = officer.post(propose(study, 2), DRAFT)
    assert (refused.status_code, RuleProposal.objects.count()) == (422, 0)
    assert refused.context["form"].errors == {
        "successor_name": ["This field is required."], "successor_slug": ["This field is required."],
    }  # fmt: skip
    officer.post(propose(study, 2), DRAFT | {"successor_name": "New list", "successor_slug": "new"})
    proposal = RuleProposal.objects.get()
    assert (proposal.system, proposal.starts_successor) == ("fesa-2000", True)
    store_effects(proposal.pk)
    page = read(officer, proposal.get_absolute_url())
    assert "From 1 Jan 2999 the list would be continued by another list, rated by the system" in page


@pytest.mark.parametrize(
    ("own", "system", "points"),
    [("bgf", "egf-2021", "+2050"), ("egf-2021", "bgf", "−2050"), ("fesa-2016", "glicko-2", "")],
)
def test_sentence_says_how_ratings_of_go_are_converted(own, system, points):
    proposal = RuleProposal(
        list=RatingList(system=own), system=system, in_force=dt.date(2999, 1, 1), successor_slug="new"
    )
    expected = (
        f"Ratings below are in the points of that system (those of the list {points})."
        if points
        else "It starts with everybody’s rating of the day before."
    )
    assert describe_change(proposal, [], None).endswith(expected)


def test_option_that_cannot_change_needs_a_successor_list_too(study, officer):
    officer.post(propose(study, 4), DRAFT | {"successor_name": "New list", "successor_slug": "new"})
    proposal = RuleProposal.objects.get()
    assert (proposal.system, proposal.options, proposal.starts_successor) == ("glicko-2", {"period": "month"}, True)


def test_present_rules_are_not_proposed(study, officer):
    response = officer.get(propose(study, 3), follow=True)
    assert response.redirect_chain == [(study.get_absolute_url(), 302)]
    assert "there is nothing to propose" in response.content.decode()


def test_best_value_of_a_sweep_becomes_a_draft_with_its_figures(study, officer):
    sweep = {"system": "glicko-2", "options": {}, "values": {"initial_deviation": [60, 350]}}
    Study.objects.update(state="waiting", definition={"candidates": [], "sweep": sweep, "resamples": 20})
    make_study(study.pk)
    best = Study.objects.get().result["sweep"]["best"]["initial_deviation"]
    assert '<option value="best">' in read(officer, study.get_absolute_url())
    response = officer.post(propose(study, "best"), DRAFT, follow=True)
    if best == 350:
        assert "there is nothing to propose" in response.content.decode()
    else:
        proposal = RuleProposal.objects.get()
        assert proposal.options == {"initial_deviation": best}
        assert "Log loss of predictions (lower is better)" in read(officer, proposal.get_absolute_url())


@pytest.mark.parametrize("candidate", ["best", "0", "5", "x", "", "-1", "99999"])
def test_candidates_that_the_study_does_not_have_are_not_found(study, officer, candidate):
    assert officer.get(propose(study, candidate)).status_code == 404


@pytest.mark.parametrize(
    ("changed", "field", "problem"),
    [
        ({"comments_until": "2999-02-01"}, "comments_until", "Comments must end before the rules come into force."),
        ({"since_year": "1900"}, "since_year", "Select a valid choice. 1900 is not one of the available choices."),
        ({"in_force": "soon"}, "in_force", "Enter a valid date."),
        (
            {"in_force": "2026-12-30", "comments_until": ""},
            "in_force",
            "Rules come into force at least 30 days after they are published: choose 31 Dec 2026 or a later day.",
        ),
        ({"title": ""}, "title", "This field is required."),
    ],
)
def test_invalid_draft_is_kept_with_its_errors(study, officer, changed, field, problem):
    with time_machine.travel(dt.datetime(2026, 12, 1, 12, tzinfo=dt.UTC), tick=False):
        response = officer.post(propose(study, 1), DRAFT | changed)
    assert (response.status_code, RuleProposal.objects.count()) == (422, 0)
    assert response.context["form"].errors == {field: [problem]}
    assert "Form changes." in response.content.decode()


def test_published_page_says_what_changes_and_what_it_does_to_everybody(proposal, officer, client):
    decide(officer, proposal, "publish")
    officer.logout()
    page = read(client, proposal.get_absolute_url())
    assert "Open for comments" in page
    assert "100 instead of 350. Nobody’s rating changes on that day. Had it applied since 2024, half of the" in page
    assert "All 4 active players" in read(client, f"{proposal.get_absolute_url()}?page=1")
    assert "Log loss of predictions (lower is better)" in page
    assert "Sooner" in read(client, reverse("rule_proposals", args=[proposal.list.slug]))


@pytest.mark.parametrize(
    ("typed", "found"),
    [("ada", ["ADA"]), ("CLEO", ["CLEO"]), ("a", ["ADA"]), ("nobody", []), ("", [])],
)
def test_own_rating_is_found_by_name_and_id(proposal, officer, typed, found):
    response = officer.get(proposal.get_absolute_url(), {"q": typed})
    assert [effect.player.public_id for effect in response.context["found"]] == found
    page = response.content.decode()
    assert ("Not found: is the name on this list?" in page) == (typed != "" and not found)
    assert (
        '<form class="find-me" role="search" action="#me" data-suggest="/search/suggest/?kind=players" data-fill'
        in page
    )


def test_form_names_the_first_day_on_which_the_rules_can_come_into_force(study, officer):
    with time_machine.travel(dt.datetime(2026, 12, 1, 12, tzinfo=dt.UTC), tick=False):
        page = read(officer, propose(study, 1))
        assert "At least 30 days after publication: today from 31 Dec 2026 on." in page
        officer.post(propose(study, 1), DRAFT | {"in_force": "2026-12-31", "comments_until": ""})
    assert RuleProposal.objects.get().in_force == dt.date(2026, 12, 31)


def test_draft_is_not_published_too_late(proposal, officer):
    with time_machine.travel(dt.datetime(2998, 12, 15, 12, tzinfo=dt.UTC), tick=False):
        officer.force_login(User.objects.get(username="officer"))
        response = decide(officer, proposal, "publish")
    assert response.status_code == 422
    assert "at least 30 days after they are published: choose 14 Jan 2999 or a later day." in response.content.decode()


@pytest.mark.parametrize(("typed", "similar"), [("Adda", ["ADA"]), ("Cleyo", ["CLEO"]), ("Xerxes", [])])
def test_name_that_is_not_found_gets_similar_names(proposal, officer, typed, similar):
    page = read(officer, f"{proposal.get_absolute_url()}?q={typed}")
    assert "Not found: is the name on this list?" in page
    assert re.findall(r'href="\?q=(\w+)#me"', page) == similar


def test_found_player_is_marked_in_the_table_and_in_the_histogram(proposal, officer, monkeypatch):
    monkeypatch.setattr(proposals, "PLAYERS_ON_PAGE", 1)
    page = read(officer, f"{proposal.get_absolute_url()}?q=dora")
    (row,) = re.findall(r'<tr role="row" class="found" aria-current="true">(.*?)</tr>', page)
    assert "/players/DORA" in row
    assert "theme=light&amp;player=DORA" in page
    every = read(officer, f"{proposal.get_absolute_url()}?q=dora&page=1")
    assert every.count('class="found"') == 1
    plain = read(officer, proposal.get_absolute_url())
    assert ('class="found"' in plain, "player=" in plain) == (False, False)


def test_histogram_names_the_marked_player(proposal, officer):
    address = reverse("rule_effects_chart", args=[proposal.list.slug, proposal.pk])
    name = proposal.effects.get(player__public_id="DORA").player.public_name
    assert f"<!-- {name} -->" in officer.get(address, {"player": "DORA"}).content.decode()
    assert f"<!-- {name} -->" not in officer.get(address, {"player": ["DORA", "ADA"]}).content.decode()
    assert officer.get(address, {"player": "x"}).content == officer.get(address).content


def test_table_has_the_rating_on_the_day_itself(proposal, officer):
    page = read(officer, proposal.get_absolute_url())
    assert "On 1 Jan 2999</th>" in page
    effect = proposal.effects.get(player__public_id="DORA")
    RuleEffect.objects.filter(pk=effect.pk).update(on_day=effect.present + 7)
    RuleEffect.objects.filter(player__public_id="ADA").update(on_day=None)
    page = read(officer, f"{proposal.get_absolute_url()}?q=dora")
    assert "On that day the rating of 1 player changes, by 7 points. 1 player leaves the list. Had it applied" in page
    assert re.findall(r'(\d+) <span class="gain"\s?>\+7</span>', page) == [f"{effect.present + 7:.0f}"] * 2
    assert page.count("not on the list") == 1
    proposal.figures.pop("on_day")
    proposal.save()
    page = read(officer, proposal.get_absolute_url())
    assert ("On 1 Jan 2999</th>" in page, "Nobody’s rating changes on that day." in page) == (False, True)


def test_figures_name_their_source(proposal, officer):
    day = format_day(timezone.localdate(proposal.study.made_at))
    result = proposal.study.result
    page = read(officer, proposal.get_absolute_url())
    assert (
        f"Predictions and panel: the laboratory’s study of {day}, with {result['games']} games of {result['events']}"
        f" events, 2024, predicted before they were played (digest {result['digest'][:8]})."
    ) in page
    assert "Changes of ratings: the list’s results since 2024, rated by both rules." in page


def test_meaning_of_a_figure_keeps_the_capitals_of_the_language(proposal):
    for candidate in proposal.study.result["candidates"][1:]:
        candidate["against"] = {"verdict": "better", "interval": None}
    with override("de"):
        assert list_figures(proposal)[0].meaning == "Besser, der Unterschied ist sicher"


TYPED = {"system": "glicko-2", "option-tau": "0.9", "option-initial_deviation": "350", "next": "1"}


def type_rules(study, **options):
    return f"{reverse('new_proposal', args=[study.list.slug])}?{urlencode(options)}"


def test_rules_are_typed_without_a_study(study, officer):
    page = read(officer, reverse("new_proposal", args=[study.list.slug]))
    assert '<input type="text" name="option-tau" value="0.5"' in page
    address = type_rules(study, **TYPED)
    assert "Limit of volatility: <b>0.9</b>" in read(officer, address)
    officer.post(address, DRAFT)
    proposal = RuleProposal.objects.get()
    assert (proposal.system, proposal.options, proposal.study) == ("glicko-2", {"tau": 0.9}, None)
    store_effects(proposal.pk)
    page = read(officer, proposal.get_absolute_url())
    assert ("Changes of ratings:" in page, "Predictions and panel:" in page) == (True, False)


def test_typed_rules_of_another_system_need_a_successor_list(study, officer):
    address = type_rules(study, system="fesa-2000", next="1")
    refused = officer.post(address, DRAFT)
    assert set(refused.context["form"].errors) == {"successor_name", "successor_slug"}
    officer.post(address, DRAFT | {"successor_name": "New list", "successor_slug": "new"})
    proposal = RuleProposal.objects.get()
    assert (proposal.system, proposal.options, proposal.successor_slug) == ("fesa-2000", {}, "new")


def test_typed_rules_stay_after_an_error(study, officer):
    response = officer.get(type_rules(study, **TYPED | {"option-tau": "nine"}))
    assert response.status_code == 422
    assert response.context["form"].errors == {
        "option-tau": ["Invalid value “nine”: expected a number from 0.2 to 1.5."]
    }
    assert 'value="nine"' in response.content.decode()
    again = read(officer, type_rules(study, **{key: text for key, text in TYPED.items() if key != "next"}))
    assert 'name="option-tau" value="0.9"' in again


def test_typed_rules_that_hold_already_are_not_proposed(study, officer):
    response = officer.get(type_rules(study, **TYPED | {"option-tau": "0.5"}))
    assert response.context["form"].non_field_errors() == [
        "These are the list’s present rules: change an option or choose another system."
    ]


@pytest.mark.parametrize("system", ["elo", "egf-2021"])
def test_systems_that_cannot_continue_the_list_are_not_found(study, officer, system):
    assert officer.get(type_rules(study, system=system)).status_code == 404


def test_file_has_every_active_player(proposal, officer):
    response = officer.get(reverse("rule_effects_file", args=[proposal.list.slug, proposal.pk]))
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    effects = {effect.player.public_id: effect for effect in proposal.effects.select_related("player")}
    assert {row["id"]: (float(row["present"]), float(row["proposed"]), float(row["on_day"])) for row in rows} == {
        id: (effect.present, effect.rating, effect.on_day) for id, effect in effects.items()
    }


def test_chart_is_drawn_and_missing_without_effects(proposal, officer):
    address = reverse("rule_effects_chart", args=[proposal.list.slug, proposal.pk])
    response = officer.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    fromstring(response.content)
    proposal.effects.all().delete()
    assert officer.get(address).status_code == 404


def test_adopted_options_stand_on_the_rules_page_until_the_proposal_is_reopened(proposal, officer, study):
    decide(officer, proposal, "publish")
    response = decide(officer, proposal, "adopt", "Voted.", follow=True)
    assert "The proposal was adopted. You can reopen it with a reason." in response.content.decode()
    page = read(officer, reverse("rules", args=[study.list.slug]))
    assert "Changes of the settings" in page
    assert "1 Jan 2999" in page
    assert "these settings change:" in read(officer, proposal.get_absolute_url())
    refused = decide(officer, proposal, "reopen")
    assert (refused.status_code, "Enter the reason." in refused.content.decode()) == (422, True)
    decide(officer, proposal, "reopen", "Void.")
    assert RatingList.objects.get().option_changes == []
    assert "Changes of the settings" not in read(officer, reverse("rules", args=[study.list.slug]))


@pytest.mark.parametrize("button", ["reject", "withdraw"])
def test_decided_proposal_keeps_its_page(proposal, officer, client, button):
    decide(officer, proposal, "publish")
    decide(officer, proposal, button, "Not now.")
    officer.logout()
    page = read(client, proposal.get_absolute_url())
    assert {"reject": "Rejected", "withdraw": "Withdrawn"}[button] in page
    assert "Not now." in page


def test_decision_twice_says_that_nothing_was_done(proposal, officer):
    decide(officer, proposal, "publish")
    again = decide(officer, proposal, "publish")
    assert again.status_code == 422
    assert "Nothing was done: the proposal is open for comments by now." in again.content.decode()


def test_post_without_a_button_says_that_nothing_was_done(proposal, officer):
    response = decide(officer, proposal, "other", "typed reason")
    assert response.status_code == 422
    assert "Nothing was done: choose a decision." in response.content.decode()


def test_discarded_draft_is_gone(proposal, officer):
    response = decide(officer, proposal, "discard")
    assert response.url == reverse("rule_proposals", args=[proposal.list.slug])
    assert officer.get(proposal.get_absolute_url()).status_code == 404


def test_draft_is_changed_until_it_is_published(proposal, officer):
    address = reverse("edit_proposal", args=[proposal.list.slug, proposal.pk])
    assert "Form changes." in read(officer, address)
    officer.post(address, DRAFT | {"title": "Much sooner"})
    proposal.refresh_from_db()
    assert (proposal.title, proposal.work) == ("Much sooner", "waiting")
    store_effects(proposal.pk)
    decide(officer, proposal, "publish")
    response = officer.post(address, DRAFT | {"title": "Later"}, follow=True)
    proposal.refresh_from_db()
    assert proposal.title == "Much sooner"
    assert "was published and can no longer be changed" in response.content.decode()


def test_feed_has_published_proposals_only(proposal, officer, client):
    address = reverse("proposal_feed", args=[proposal.list.slug])
    assert b"<entry>" not in client.get(address).content
    decide(officer, proposal, "publish")
    entry = client.get(address).content.decode()
    assert "Sooner" in entry
    assert "open for comments, in force from 1 Jan 2999, Form changes." in entry


@pytest.mark.parametrize("method", ["put", "delete"])
def test_wrong_methods_are_refused(proposal, officer, method):
    for name in ("rule_proposal", "edit_proposal", "decide_proposal", "rule_effects_file", "rule_effects_chart"):
        address = reverse(name, args=[proposal.list.slug, proposal.pk])
        assert (name, getattr(officer, method)(address).status_code) == (name, 405)


def test_public_page_needs_few_queries(proposal, officer, client, django_assert_num_queries):
    decide(officer, proposal, "publish")
    officer.logout()
    client.get(proposal.get_absolute_url())
    with django_assert_num_queries(7):
        client.get(f"{proposal.get_absolute_url()}?q=ada")


def test_successor_and_old_list_name_each_other_on_their_pages(study, officer, rate_all):
    officer.post(propose(study, 2), DRAFT | {"comments_until": "", "successor_name": "New", "successor_slug": "new"})
    proposal = RuleProposal.objects.get()
    store_effects(proposal.pk)
    decide(officer, proposal, "publish")
    RuleProposal.objects.update(in_force="2024-06-01")
    decide(officer, proposal, "adopt", "Voted.")
    start_due_successors()
    rate_all()
    for page in ("list", "rules"):
        old, new = (read(officer, reverse(page, args=[slug])) for slug in ("fesa", "new"))
        assert 'Events that end on 1 Jun 2024 or later are rated on <a href="/lists/new/">New</a>' in old
        assert 'Began on 1 Jun 2024 with the ratings of <a href="/lists/fesa/">FESA</a>.' in new
        assert "list that was imported" not in new
    page = read(officer, proposal.get_absolute_url())
    assert 'The list is continued as <a href="/lists/new/">New</a>.' in page
    assert "Successor list started" in page


def test_event_after_the_start_of_a_successor_is_not_rated_on_the_old_list(study, officer):
    new = make_list("new", system="fesa-2000", begins_on=dt.date(2024, 6, 1))
    RatingList.objects.filter(pk=study.list_id).update(successor=new)
    fields = {"name": "Cup", "place": "Bonn", "country": "DE", "time_control": "90min", "lists": [study.list_id]}
    for day, problems in (
        ("2024-05-31", None),
        ("2024-06-01", [f"{new} continues FESA and rates events that end on 1 Jun 2024 or later: choose {new}."]),
    ):
        response = officer.post(reverse("new_event"), fields | {"start": day, "end": day})
        errors = response.context["form"].errors if response.context else {}
        assert errors.get("lists") == problems
