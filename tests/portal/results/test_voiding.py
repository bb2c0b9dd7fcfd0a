"""Voiding an accepted event on its page."""

import re

import pytest

from portal.results.views import steps
from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.results.voiding import void_event
from ratings.models import Award
from ratings.queries.results.void_effects import VoidEffects, read_void_effects
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
    assert (">2<b>+</b></a>" in page.text, ">1−</a>" in page.text) == (True, True)


def test_undone_void_promises_no_further_undo(client, event):
    void_event(event, reason="rules", explanation="Games of ten minutes")
    history = f"/organise/events/{event.public_id}/history/"
    page = client.post(f"{history}{event.steps.get(what='voided').pk}/undo/", follow=True)
    assert [str(message) for message in page.context["messages"]] == ["Undone: event voided."]
    event.refresh_from_db()
    assert (event.state, "Void this event" in page.text) == ("accepted", True)


def test_history_has_the_form_that_voids_the_event(client, event):
    page = client.get(f"/organise/events/{event.public_id}/history/")
    box = markup(page).partition('<section class="dangerbox" id="void"')[2].partition("</section>")[0]
    address = f"/organise/events/{event.public_id}/void/"
    assert f'<form method="post" action="{address}"' in box
    assert f'<a href="{address}">Show every change</a>' in " ".join(box.split())
    version = re.search(r'name="shown_version" value="([^"]+)"', box)[1]
    assert client.post(address, FORM | {"shown_version": "0.0.0"}).status_code == 422
    sent = client.post(address, FORM | {"shown_version": version})
    assert sent.url == f"/organise/events/{event.public_id}/history/"
    event.refresh_from_db()
    assert (event.state, event.void_reason) == ("void", "rules")
    assert "dangerbox" not in client.get(sent.url).text


def test_invalid_void_form_keeps_what_was_typed(client, event):
    sent = client.post(f"/organise/events/{event.public_id}/void/", FORM | {"reason": ""})
    assert (sent.status_code, "Games of ten minutes" in sent.text) == (422, True)
    assert f'<form method="post" action="/organise/events/{event.public_id}/void/"' in markup(sent)


def test_void_effects_count_ratings_later_tables_and_grades(client, event, rate_all, django_assert_num_queries):
    rating_list = event.lists.get()
    players = [entry.player for entry in event.tables.get().entries.order_by("number")]
    later = make_table(rating_list, players, [(1, 1, 2, 1.0)], "2024-03-02")
    make_table(rating_list, players, [(1, 1, 2, 1.0)], "2023-03-02")
    rate_all()
    with django_assert_num_queries(4):
        effects = read_void_effects(event)
    grades = list(Award.objects.filter(table__event=event, last_of_step=True))
    assert effects == VoidEffects(ratings=2, later=1, events=[later.event.name], grades=grades)
    page = markup(client.get(f"/organise/events/{event.public_id}/history/"))
    assert "2 ratings are calculated without this event." in page
    assert f"Up to 1 later table is rated again. The first: {later.event.name}." in page
    assert [f"{award.player} {award.grade}" in page for award in grades] == [True] * len(grades)


def test_organiser_sees_the_history_without_the_void_form(client, event):
    organiser = person("organiser", ORGANISERS)
    event.created_by = organiser
    event.save()
    client.force_login(organiser)
    page = client.get(f"/organise/events/{event.public_id}/history/")
    assert (page.status_code, "dangerbox" in page.text, "/void/" in page.text) == (200, False, False)
