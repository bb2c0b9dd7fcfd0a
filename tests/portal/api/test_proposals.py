"""Proposed rules and their effects, as far as they are published."""

import pytest

from ratings.domain.players.visibility import set_visibility

from .proposed import make_proposal

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"


@pytest.fixture
def proposal(site):
    return make_proposal(site.list, [site.ada, site.ben])[0]


def test_proposals_are_read_newest_first(site, proposal, get):
    later, _ = make_proposal(site.list, [], title="Later", published_at="2024-05-20T00:00:00Z", state="rejected")
    make_proposal(site.list, [], title="Draft", state="draft")
    page = get("/lists/fesa/proposals?size=1")
    assert [(row["number"], row["state"]) for row in page["items"]] == [(later.pk, "rejected")]
    assert get(page["next"].partition("/api/v1")[2])["items"] == [
        {
            "number": proposal.pk, "title": "Other system", "state": "open", "proposed_by": "Committee",
            "reason": "Form changes.", "system": "fesa-2000", "options": {}, "successor": "new",
            "in_force": "2025-01-01", "comments_until": "2024-12-01", "since": "2023-01-01",
            "published_at": "2024-05-01T00:00:00Z", "changed_at": "2024-05-01T00:00:00Z",
            "url": f"{SITE}/lists/fesa/proposals/{proposal.pk}/",
        }
    ]  # fmt: skip


def test_proposal_has_its_steps_and_figures(site, proposal, get):
    reply = get(f"/lists/fesa/proposals/{proposal.pk}")
    assert [(step["what"], step["reason"]) for step in reply["steps"]] == [("published", "")]
    assert {name: reply[name] for name in ("present", "proposed", "games", "digest", "players", "typical_effect")} == {
        "present": {"log_loss": 0.61, "largest_change": 40.0, "mean_change": 8.5, "grades_won": 3},
        "proposed": {"log_loss": 0.59, "largest_change": 30.0, "mean_change": 7.5, "grades_won": None},
        "games": 40, "digest": "abc123", "players": 2, "typical_effect": 15.0,
    }  # fmt: skip


def test_proposal_without_a_study_has_no_figures(site, get):
    proposal, _ = make_proposal(site.list, [], figures=None)
    type(proposal).objects.update(study=None)
    reply = get(f"/lists/fesa/proposals/{proposal.pk}")
    no_figures = {"log_loss": None, "largest_change": None, "mean_change": None, "grades_won": None}
    assert (reply["present"], reply["proposed"], reply["games"], reply["digest"]) == (no_figures, no_figures, None, "")
    assert (reply["players"], reply["typical_effect"]) == (0, None)


def test_effects_are_those_on_the_players_of_the_list(site, proposal, get, rate_all):
    set_visibility(site.ben, "anonymous")
    reply = get(f"/lists/fesa/proposals/{proposal.pk}/effects")
    assert [(row["player"]["id"], row["player"]["name"]) for row in reply["items"]] == [
        ("BBB33", "Player BBB33"),
        ("AAA22", "Łukasz Zoë"),
    ]
    assert {name: reply["items"][1][name] for name in ("present", "proposed", "difference", "on_day", "grade")} == {
        "present": 1500.0, "proposed": 1520.0, "difference": 20.0, "on_day": 1500.0, "grade": "",
    }  # fmt: skip


def test_draft_and_unknown_proposals_are_not_found(site, proposal, get):
    draft, _ = make_proposal(site.list, [], state="draft")
    for number in (draft.pk, 0, 10**30):
        get(f"/lists/fesa/proposals/{number}", 404)
        get(f"/lists/fesa/proposals/{number}/effects", 404)
    get(f"/lists/other/proposals/{proposal.pk}", 404)
