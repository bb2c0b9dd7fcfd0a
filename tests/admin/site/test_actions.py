"""Bulk actions: for officers, each object by itself, and what cannot be is told."""

import pytest
from django.core import mail

from ratings.domain.results.submissions import create_submission
from ratings.domain.results.submitting import submit
from ratings.domain.site.outbox import deliver_mails
from ratings.domain.site.reports import report_error, send_report
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.models import Change, Event, RatedTable, RatingList, Report, Run, Table
from tests.admin.people import OFFICER, ORGANISER, SUPERUSER, VISITOR, log_in
from tests.factories import make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db

WHO = [(VISITOR, False), (ORGANISER, False), (OFFICER, True), (SUPERUSER, True)]


@pytest.fixture
def fesa():
    return make_list()


def act(client, model, action, *several):
    data = {"action": action, "_selected_action": [one.pk for one in several]}
    return client.post(f"/admin/ratings/{model}/", data)


def get_messages(client, model):
    """The messages that stand on the next page."""
    response = client.get(f"/admin/ratings/{model}/")
    return [str(message) for message in response.context["messages"]]


def submitted(rating_list, name, *cells):
    event = make_event(name, "2024-05-04", [rating_list], state=Event.State.DRAFT, time_control="30min")
    players = [make_player() for _ in cells]
    rows = [
        SheetRow(player.family_name, "", "FR", player.public_id, cells=[cell])
        for player, cell in zip(players, cells, strict=True)
    ]
    create_submission(event, SheetContent(1, rows), days=(event.start, event.end))
    submit(event)
    return event


def states():
    return dict(Event.objects.order_by("name").values_list("name", "state"))


def test_submitted_events_are_accepted_separately(client, fesa):
    officer = log_in(client, OFFICER)
    one, draft, other = (
        submitted(fesa, "A", "2+", "1-"),
        make_event("B", state="draft"),
        submitted(fesa, "C", "2=", "1="),
    )
    act(client, "event", "accept_submitted", one, draft, other)
    assert states() == {"A": "accepted", "B": "draft", "C": "accepted"}
    assert get_messages(client, "event") == [
        "B: This event has no submitted results.",
        "Accepted and being rated: A, C",
    ]
    assert set(Table.objects.values_list("event__name", flat=True)) == {"A", "C"}
    assert list(one.steps.values_list("what", "by")) == [("submitted", None), ("accepted", officer.pk)]


def test_event_that_does_not_fit_any_more_stays_as_it_was(client, fesa):
    log_in(client, OFFICER)
    one = submitted(fesa, "A", "2+", "1-")
    submission = one.submissions.get()
    submission.content["rows"][0]["cells"] = ["2-"]
    submission.save()
    act(client, "event", "accept_submitted", one)
    assert (states(), Table.objects.count()) == ({"A": "submitted"}, 0)
    (message,) = get_messages(client, "event")
    assert message.startswith("A: ")


@pytest.mark.parametrize(("who", "may"), WHO)
def test_accepting_is_for_officers(who, may, client, fesa):
    user = log_in(client, who)
    event = submitted(fesa, "A", "2+", "1-")
    Event.objects.update(created_by=user)
    act(client, "event", "accept_submitted", event)
    assert states() == {"A": "accepted" if may else "submitted"}


def test_declined_report_is_closed_without_a_word(client, django_capture_on_commit_callbacks):
    player = make_player("Ada")
    with django_capture_on_commit_callbacks(execute=True):
        spam = report_error(Report(player=player, text="buy", mail="spam@example.org"))
    answered = Report.objects.create(player=player, text="wrong", state="mended", answer="Yes.")
    officer = log_in(client, OFFICER)
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        act(client, "report", "decline", spam, answered)
    send_report(spam.pk)  # as a worker that came late
    assert dict(Report.objects.values_list("text", "state")) == {"buy": "declined", "wrong": "mended"}
    assert Report.objects.get(text="buy").answered_by == officer
    assert get_messages(client, "report") == [f"{answered}: This report was already closed.", f"Closed: {spam}"]
    deliver_mails()
    assert mail.outbox == []
    client.logout()
    page = client.get(spam.get_absolute_url()).content.decode()
    assert ("closed without an answer" in page, "Not answered yet" in page) == (True, False)


@pytest.mark.parametrize(("who", "may"), WHO)
def test_declining_is_for_officers(who, may, client):
    report = report_error(Report(player=make_player(), text="buy"))
    log_in(client, who)
    act(client, "report", "decline", report)
    assert Report.objects.get().state == ("declined" if may else "open")


def test_action_on_two_players_opens_the_merge_page(client):
    log_in(client, OFFICER)
    ada, ade, ben = make_player("Ada"), make_player("Ada"), make_player("Ben")
    response = act(client, "player", "merge_two", ade, ada)
    assert response.url == f"/organise/merge/?kept={ada.public_id}&gone={ade.public_id}"
    assert client.get(response.url).status_code == 200
    for several in ([ada], [ada, ade, ben]):
        act(client, "player", "merge_two", *several)
        assert get_messages(client, "player") == ["Select two players."]


@pytest.mark.parametrize("who", [VISITOR, ORGANISER])
def test_merging_is_for_officers(who, client):
    log_in(client, who)
    response = act(client, "player", "merge_two", make_player(), make_player())
    assert "/organise/merge/" not in response.get("Location", "")


def test_list_is_rated_again_from_the_beginning(client, fesa, rate_all):
    players = [make_player(), make_player()]
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-01-06")
    make_table(fesa, players, [(1, 1, 2, 0.0)], "2024-02-06")
    rate_all()
    before = list(Change.objects.order_by("pk").values_list("player", "day", "after", "state"))
    Change.objects.update(after=1)  # what no run wrote, and none would find by itself
    officer = log_in(client, OFFICER)
    act(client, "ratinglist", "rate_again", fesa)
    assert get_messages(client, "ratinglist") == ["Being rated again: FESA"]
    assert RatedTable.objects.filter(needs_rating=True).count() == 2
    rate_all()
    run = Run.objects.first()
    assert (run.asked_by, run.reasons, run.visited) == (
        officer, ("rated again from the beginning, as requested",), 2
    )  # fmt: skip
    assert sorted(Change.objects.values_list("player", "day", "after", "state")) == sorted(before)


@pytest.mark.parametrize(("who", "may"), WHO)
def test_rating_again_is_for_officers(who, may, client, fesa):
    log_in(client, who)
    act(client, "ratinglist", "rate_again", fesa)
    assert bool(RatingList.objects.get().out_of_date_from) == may


def test_staff_without_rights_finds_no_action(client, fesa):
    client.force_login(make_user("staff", is_staff=True))
    assert act(client, "ratinglist", "rate_again", fesa).status_code == 403
    assert RatingList.objects.get().out_of_date_from is None


def test_officer_of_another_list_accepts_and_rates_nothing(client):
    fesa = make_list()
    fesa.officers.add(make_user("its-officer"))
    event = make_event("Cup", lists=[fesa], state="submitted")
    log_in(client, OFFICER)
    get_messages = client.post(
        "/admin/ratings/event/", {"action": "accept_submitted", "_selected_action": [event.pk]}, follow=True
    )
    assert "Cup" not in get_messages.content.decode()  # what was submitted to another list is not shown
    client.post("/admin/ratings/ratinglist/", {"action": "rate_again", "_selected_action": [fesa.pk]})
    event.refresh_from_db()
    fesa.refresh_from_db()
    assert (event.state, fesa.out_of_date_from) == ("submitted", None)
