"""The history page of an event: its steps with undo, the tabs, and who has access."""

import pytest
from django.contrib.auth.models import Group, User

from ratings.access import ORGANISERS
from ratings.domain.results.sharing import share_event
from ratings.models import Club, Event
from tests.factories import make_user
from tests.markup import markup

from .way import act, enter_confirmed_results, paste

pytestmark = pytest.mark.django_db(transaction=True)


def history_of(client, event):
    return client.get(f"/organise/events/{event.public_id}/history/")


def test_history_offers_the_undo_of_the_last_step_above_the_steps(client, event, players, officer):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    page = history_of(client, event)
    last = event.steps.get(what="submitted")
    assert page.context["last"] == last
    assert f'action="/organise/events/{event.public_id}/history/{last.pk}/undo/" class="message good"' in markup(page)
    client.force_login(officer)
    act(client, event, "return", note="Round 1?")
    client.force_login(event.created_by)
    page = history_of(client, event)
    assert (page.context["last"], "Last step: " in markup(page)) == (None, False)  # only an officer may undo it


def test_history_lists_who_has_access(client, event, organiser):
    club = Club.objects.create(name="Lyon Shogi")
    people = {name: make_user(name) for name in ("clara", "friend", "gone")}
    for user in people.values():
        user.groups.add(Group.objects.get(name=ORGANISERS))
    club.organisers.add(people["clara"], organiser)
    event.organisers.add(people["friend"], people["gone"])
    User.objects.filter(username="gone").update(is_active=False)
    Event.objects.filter(pk=event.pk).update(club=club)
    assert history_of(client, event).context["access"] == [
        ("organiser", "created the event"),
        ("friend", "the event is shared with this person"),
        ("clara", "Lyon Shogi"),
        ("Rating officers", str(event.lists.get())),
    ]


def test_organiser_who_undoes_the_sharing_with_them_returns_to_the_own_events(client, event):
    friend = make_user("friend")
    friend.groups.add(Group.objects.get(name=ORGANISERS))
    share_event(event, friend)
    client.force_login(friend)
    step = event.steps.get(what="shared")
    response = client.post(f"/organise/events/{event.public_id}/history/{step.pk}/undo/", follow=True)
    assert response.redirect_chain == [("/organise/", 302)]
    assert [str(message) for message in response.context["messages"]] == ["Undone: shared."]


def test_tabs_lead_to_the_pages_of_the_event(client, event, players):
    paste(client, event)
    address = f"/organise/events/{event.public_id}/"
    page = markup(client.get(address))
    assert f'<a href="{address}history/">History</a>' in page
    assert "Public page" not in page
    act(client, event, "announce")
    event.refresh_from_db()
    assert f'<a href="{event.get_absolute_url()}">Public page</a>' in markup(history_of(client, event))
