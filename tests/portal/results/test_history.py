"""The history page of an event: its steps with undo, the tabs, and who has access."""

import csv
import datetime as dt
import io

import pytest
from django.contrib.auth.models import Group, User

from portal.results.history_lines import ICONS, list_history
from portal.results.step_sentences import describe_figures, describe_run
from portal.site.icons import read_icon
from ratings.access import ORGANISERS
from ratings.domain.results.comments import add_comment
from ratings.domain.results.sharing import share_event
from ratings.domain.results.steps import record_event_step
from ratings.domain.results.voiding import void_event
from ratings.domain.runs import marking
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.models import Club, Event, EventStep, Player
from ratings.models.messages import RunReason
from ratings.queries.results.step_runs import read_step_runs
from tests.factories import give_rating, make_player, make_table, make_user
from tests.markup import markup

from .way import act, enter_confirmed_results, paste, save

pytestmark = pytest.mark.django_db(transaction=True)


def history_of(client, event):
    return client.get(f"/organise/events/{event.public_id}/history/")


def test_history_offers_the_undo_of_the_last_step_above_the_steps(client, event, players, officer):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    page = history_of(client, event)
    last = event.steps.get(what="submitted")
    assert page.context["last"].timed.step == last
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


def test_officer_undoes_the_acceptance_where_they_are_told_of_it(client, event, players, officer):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    page = act(client, event, "accept", shown_version="")
    page = client.get(page.url)
    step = event.steps.get(what="accepted")
    address = f"/organise/events/{event.public_id}/history/{step.pk}/undo/"
    assert f'class="message good"\n  action="{address}"' in page.text
    client.force_login(event.created_by)
    assert client.post(address).status_code == 403
    client.force_login(officer)
    undone = client.post(address, {"shown_version": page.context["done"]["version"]}, follow=True)
    assert [str(message) for message in undone.context["messages"]] == ["Undone: accepted."]
    event.refresh_from_db()
    assert (event.state, event.tables.count(), event.steps.last().what) == ("submitted", 0, "acceptance undone")
    again = client.post(address)
    assert (again.status_code, event.steps.count()) == (422, 4)
    assert "The event is submitted." in again.text


def accept_corrected(client, event, officer, rate_all):
    """An event that was read, submitted, accepted and rated, then corrected and rated again; give the correction."""
    submission, _page = enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    rate_all()
    client.force_login(event.created_by)
    table = event.tables.get()
    client.post(f"/organise/tables/{table.pk}/correct/")
    correction = event.submissions.exclude(pk=submission.pk).get()
    page = save(client, correction, reason="The score sheet", **{"row-2-round-2": "3=", "row-3-round-2": "2="})
    for finding in page.context["checked"].warnings:
        save(client, correction, reason="The score sheet", **{f"confirm-{finding.key}": "it was so"})
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    rate_all()
    return correction


def test_history_says_what_each_step_concerned(client, event, players, officer, rate_all, django_assert_num_queries):
    accept_corrected(client, event, officer, rate_all)
    client.force_login(officer)
    run_sentences = {
        step.run.pk: list(describe_run(step, names_list=False)) for step in read_step_runs(event, event.lists.all())
    }
    first, second = (run_sentences[pk] for pk in sorted(run_sentences))
    lines = list_history(event, officer)
    figures = "3 players, 2 rounds, 2 games"
    assert [(line.key, line.sentences) for line in lines] == [
        ("rated", second),
        ("corrected", ["The score sheet", f"{figures}, without questions"]),
        ("proposed", ["The score sheet", f"{figures}, without questions"]),
        ("rated", first),
        ("accepted", [f"{figures}, without questions"]),
        ("submitted", [f"{figures}, without questions"]),
        ("read", ["3 players, 2 rounds, 3 games"]),
    ]
    corrected = lines[1]
    assert [(line.place, line.old, line.new) for line in corrected.changes] == [
        ("Round 2: Bauer Max", "3+ (Čapek Jan)", "3= (Čapek Jan)")
    ]
    assert first[0] == "The ratings or grades of 3 players changed."
    assert lines[-1].upload == event.uploads.get().pk
    with django_assert_num_queries(32):
        page = history_of(client, event)
    assert "Last step: corrected. The ratings" in markup(page)


def test_record_of_an_event_can_be_downloaded(client, event, players, officer, rate_all):
    accept_corrected(client, event, officer, rate_all)
    address = f"/organise/events/{event.public_id}/history."
    text = client.get(f"{address}txt")
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text["Content-Disposition"] == f'attachment; filename="{event.public_id}-history.txt"'
    headings = [line.partition("  ")[2] for line in text.text.splitlines() if line and not line.startswith(" ")][2:]
    assert headings == [
        "Results read from a file (organiser)",
        "Submitted (organiser)",
        "Accepted (officer)",
        "Rated",
        "Correction proposed (organiser)",
        "Corrected (officer)",
        "Rated again",
    ]
    assert "    Round 2: Bauer Max: 3+ (Čapek Jan) → 3= (Čapek Jan)" in text.text.splitlines()
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}csv").text.removeprefix("\ufeff"))))
    assert [(row["step"], row["by"]) for row in rows][:3] == [
        ("read", "organiser"),
        ("submitted", "organiser"),
        ("accepted", "officer"),
    ]
    steps = {step.what: step.at for step in event.steps.all()}
    assert dt.datetime.fromisoformat(rows[1]["time"]) == steps["submitted"].replace(microsecond=0)
    assert rows[5]["changes"] == "Round 2: Bauer Max: 3+ (Čapek Jan) → 3= (Čapek Jan)"


def test_csv_record_starts_no_formula(client, event, players):
    paste(client, event, "=1+1")
    event.steps.create(what="returned", note="=1+1", by=event.created_by)
    rows = list(csv.DictReader(io.StringIO(client.get(f"/organise/events/{event.public_id}/history.csv").text)))
    assert [row["details"] for row in rows] == ["'=1+1"]


def test_record_is_refused_to_strangers_and_in_other_formats(client, event, players):
    address = f"/organise/events/{event.public_id}/history"
    assert [client.get(f"{address}.{name}").status_code for name in ("pdf", "")] == [404, 404]
    assert client.post(f"{address}.csv").status_code == 405
    assert client.get("/organise/events/NONE/history.csv").status_code == 404
    client.force_login(make_user("stranger"))
    assert client.get(f"{address}.csv").status_code == 403
    client.logout()
    assert client.get(f"{address}.csv").url == f"/accounts/login/?next={address}.csv"


def test_figures_of_returned_voided_and_deleted_results(client, event, players, officer):
    submission, _page = enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    add_comment(submission, 1, 1, "Did they play?")
    act(client, event, "return", note="Round 1?")
    client.force_login(event.created_by)
    client.post(f"/organise/sheets/{submission.pk}/delete/")
    client.post(f"/organise/sheets/{submission.pk}/restore/")
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    void_event(event, reason="rules", explanation="Games of ten minutes")
    figures = {step.what: describe_figures(step) for step in event.steps.all()}
    assert figures == {
        "read": "3 players, 2 rounds, 3 games",
        "submitted": "3 players, 2 rounds, 2 games, without questions",
        "returned": "3 players, 2 rounds, 2 games, 1 comment",
        "sheet deleted": "3 players, 2 rounds, 2 games",
        "sheet restored": "3 players, 2 rounds, 2 games",
        "accepted": "3 players, 2 rounds, 2 games, without questions",
        "voided": "3 players, 2 games",
    }


def test_figures_count_new_players_and_answered_questions(event):
    rows = [SheetRow("Lind", "Eva", new=True, cells=["2+", "2="]), SheetRow("Brand", "Leo", cells=["1-", "", ""])]
    content = SheetContent(3, rows).to_json()
    submission = event.submissions.create(
        first_day=event.start, last_day=event.end, content=content, warnings=[[1, 1, "odd", "so it was"]] * 2
    )
    step = record_event_step(event, "submitted", submissions=[submission])
    assert step.data == {"figures": {"players": 2, "rounds": 2, "games": 2, "new": 1, "answered": 2}}
    assert describe_figures(step) == "2 players, 2 rounds, 2 games, 1 new player, 2 questions answered"


def test_steps_of_earlier_releases_have_no_figures(event):
    step = event.steps.create(what="submitted", by=event.created_by)
    assert describe_figures(step) == ""


def test_run_names_other_changes_that_it_rated(client, event, players, officer, rate_all):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    rate_all()
    (rated,) = read_step_runs(event, event.lists.all())
    assert (rated.step.what, rated.is_shared) == ("accepted", False)
    rated.run.reasons += (RunReason.OPTIONS_CHANGED(),)
    rated.run.save()
    (rated,) = read_step_runs(event, event.lists.all())
    assert rated.is_shared
    assert list(describe_run(rated, names_list=True))[-1] == "The same run rated other changes of this list as well."


def test_run_names_only_players_of_the_event(client, event, players, officer, rate_all, monkeypatch):
    other = [make_player(name, public_id=id) for name, id in (("Geheim", "GGG2222"), ("Danilo", "DDD2222"))]
    Player.objects.filter(pk=other[0].pk).update(shown="anonymous")
    for player in other:
        give_rating(event.lists.get(), player, 2400, "2023-01-01")
    rate_all()
    monkeypatch.setattr(marking, "send_task", lambda *_arguments, **_more: None)  # one run rates both events
    make_table(event.lists.get(), other, [(n, 1, 2, 1.0) for n in range(1, 8)], event.start.isoformat())
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    rate_all()
    (rated,) = read_step_runs(event, event.lists.all())
    named = {row[0] for row in (*rated.run.biggest, *rated.run.grades)}
    assert named >= {"GGG2222"}  # the run changed it
    for name in ("Geheim", "Danilo"):
        assert name not in client.get(f"/organise/events/{event.public_id}/history.txt").text


def test_history_leaves_out_runs_of_lists_that_are_not_public(client, event, players, officer, rate_all):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    rate_all()
    event.lists.update(public=False)
    keys = [[line.key for line in list_history(event, user)] for user in (officer, event.created_by)]
    assert keys == [["rated", "accepted", "submitted", "read"], ["accepted", "submitted", "read"]]


def test_every_step_has_an_icon():
    kinds = set(EventStep.What.values)
    assert set(ICONS) == kinds
    assert [read_icon(name)[:4] for name in sorted(set(ICONS.values()))] == ["<svg"] * len(set(ICONS.values()))
