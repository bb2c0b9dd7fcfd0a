"""Voiding an accepted event on its page."""

import pytest

from portal.results.views import steps
from ratings.access import OFFICERS
from ratings.domain.results.voiding import void_event
from tests.factories import make_list, make_player, make_table
from tests.markup import markup

from .way import person

FORM = {"reason": "rules", "explanation": "Games of ten minutes", "read": "on"}


@pytest.fixture
def event(client, db):
    client.force_login(person("officer", OFFICERS))
    return make_table(make_list(), [make_player(), make_player()], [(1, 1, 2, 1.0)]).event


@pytest.mark.parametrize("method", ["get", "post"])
def test_event_that_another_user_has_just_voided_is_shown_as_void(method, client, event, monkeypatch):
    check = steps.require

    def require(*arguments):
        check(*arguments)
        void_event(event, reason="twice", explanation="Rated before")  # meanwhile

    monkeypatch.setattr(steps, "require", require)
    response = getattr(client, method)(f"/organise/events/{event.public_id}/void/", FORM if method == "post" else {})
    assert response.status_code == (422 if method == "post" else 200)
    assert ("this one is void" in response.content.decode()) == (method == "post")
    event.refresh_from_db()
    assert (event.void_reason, event.steps.filter(what="voided").count()) == ("twice", 1)


def test_void_event_is_called_void_for_everybody(client, event):
    void_event(event, reason="rules", explanation="Games of ten minutes")
    message = "This event is void: its results do not count. The event did not meet the rules. Games of ten minutes"
    addresses = [f"/organise/events/{event.public_id}/", event.get_absolute_url()]
    assert [message in markup(client.get(address)) for address in addresses] == [True, True]
    client.logout()
    page = client.get(event.get_absolute_url())
    assert (message in markup(page), page.context["state"]) == (True, "void")
    assert ('<a class="w" href="#r2">2+</a>' in page.text, '<a href="#r1">1−</a>' in page.text) == (True, True)


def test_undone_void_promises_no_further_undo(client, event):
    void_event(event, reason="rules", explanation="Games of ten minutes")
    history = f"/organise/events/{event.public_id}/history/"
    page = client.post(f"{history}{event.steps.get(what='voided').pk}/undo/", follow=True)
    assert [str(message) for message in page.context["messages"]] == ["Undone: event voided."]
    event.refresh_from_db()
    assert (event.state, "Void this event" in page.text) == ("accepted", True)
