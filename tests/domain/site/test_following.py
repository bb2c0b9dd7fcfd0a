"""Users follow players, clubs, events and lists, and get mails about them, at once or weekly."""

import datetime as dt
import re

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import travel

from portal.templatetags.portal_format import signed
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.grades.announcing import announce_grades
from ratings.domain.lists.publishing import publish, publish_revision
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.steps import record_event_step
from ratings.domain.runs.rerating import rerate
from ratings.domain.site import follow_mails, following, outbox
from ratings.domain.site.acting import act_as
from ratings.domain.site.follow_mails import request_weekly_mails, start_of_week
from ratings.domain.site.following import (
    follow,
    read_unsubscribing,
    set_frequencies,
    sign_unsubscribing,
    stop_following,
    unsubscribe,
)
from ratings.domain.site.outbox import compose_mails, deliver_outbox
from ratings.domain.site.retention import delete_expired
from ratings.models import (
    Club,
    DatedList,
    Event,
    EventStep,
    Follow,
    FollowedChange,
    MailFrequency,
    Membership,
    Notification,
    OutgoingMail,
)
from ratings.queries.grades.awards import unannounced_awards
from ratings.queries.site.following import follows_of
from tests.approvals import correct
from tests.factories import give_rating, give_ratings, make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db
WEEKLY, NEVER = MailFrequency.WEEKLY, MailFrequency.NEVER


@pytest.fixture
def fesa():
    return make_list("shogi")


@pytest.fixture
def reader():
    return make_user("reader", email="reader@example.org")


def duel(fesa, day="2024-03-02", score=1.0, **fields):
    """Return a table in which the first of two players of 1500, AAA2222 and BBB3333, got a score."""
    players = [make_player(name, public_id=id) for name, id in (("Ada", "AAA2222"), ("Ben", "BBB3333"))]
    for player in players:
        give_rating(fesa, player, 1500, "2023-01-01")
    rerate(fesa.pk)
    return make_table(fesa, players, [(1, 1, 2, score)], day, **fields)


def players_of(table):
    return [entry.player for entry in table.entries.select_related("player").order_by("number")]


def mails():
    """Write all waiting mails, whenever they are due, and return subject and text of each, by address; none stay."""
    Notification.objects.update(next_try_at=timezone.now())
    compose_mails()
    assert Notification.objects.filter(error__gt="").count() == 0
    rows = {row.recipients[0]: (row.subject, row.body) for row in OutgoingMail.objects.order_by("-pk")}
    assert len(rows) == OutgoingMail.objects.count()
    OutgoingMail.objects.all().delete()
    return rows


def lines(text):
    """Return the lines of a mail about changes, without the dash, and the names of the sections."""
    return [line.removeprefix("- ") for line in re.split(r"\n", text.partition("\n\nChoose what")[0]) if line]


# what mails say


def test_followed_player_is_mailed_with_results_and_new_rating(fesa, reader):
    table = duel(fesa, event_name="Spring Cup")
    ada = players_of(table)[0]
    follow(reader, ada)
    rerate(fesa.pk)
    subject, body = mails()["reader@example.org"]
    assert subject == "News about Ada"
    assert lines(body) == [
        "Ada",
        "Spring Cup (2 Mar 2024): 1 of 1 game",
        "SHOGI: rating 1500 → 1513 (+13)",
        "SHOGI: promoted to 3 Kyu",
        f"http://127.0.0.1:8000{ada.get_absolute_url()}",
    ]
    assert mails() == {}


def test_mail_of_one_run_joins_all_pages(fesa, reader):
    """A player, the club of the other, the event: one mail, sorted by name."""
    table = duel(fesa, event_name="Spring Cup")
    ada, ben = players_of(table)
    club = Club.objects.create(name="Chess Café")
    Membership.objects.create(player=ben, club=club)
    for target in (ada, club, table.event):
        follow(reader, target)
    rerate(fesa.pk)
    subject, body = mails()["reader@example.org"]
    assert subject == "News about 3 pages"
    found = lines(body)
    headings = ["Ada", "Chess Café", "Spring Cup, 2 Mar 2024, SHOGI"]
    assert [line for line in found if line in headings] == headings
    assert "Spring Cup (2 Mar 2024) was rated on SHOGI. Club members who played: Ben" in found
    assert "The event was rated on SHOGI." in found


def test_correction_without_a_game_is_mailed_to_followers_and_to_the_player(fesa, reader):
    table = duel(fesa)
    ada, own = players_of(table)[0], make_user("cy", email="cy@example.org")
    cy = make_player("Cy", public_id="CCC4444", account=own)
    give_rating(fesa, cy, 1500, "2023-01-01")
    make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2024-04-06")
    rerate(fesa.pk)
    follow(reader, cy)
    follow(own, cy)
    assert mails() == {}
    correct(fesa, table, 0.0)
    run = fesa.runs.latest("pk")
    stored = run.corrections.get(player=cy)
    change = f"SHOGI: rating {stored.before:.0f} → {stored.after:.0f} ({signed(stored.after - stored.before)})"
    found = mails()
    assert found["cy@example.org"][0] == "Your rating was corrected"
    for address, name in (("reader@example.org", "Cy"), ("cy@example.org", "Your own rating")):
        found_lines = lines(found[address][1])
        assert found_lines[0] == name
        assert found_lines[1] == change
        assert "There was no new game: an earlier result was corrected or came late." in found_lines
        assert found[address][1].count(change) == 1  # the player follows their own page too, and reads it once


def test_player_refuses_mails_about_own_corrections(fesa):
    table = duel(fesa)
    ada, own = players_of(table)[0], make_user("cy", email="cy@example.org")
    cy = make_player("Cy", account=own)
    give_rating(fesa, cy, 1500, "2023-01-01")
    make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2024-04-06")
    rerate(fesa.pk)
    set_frequencies(own, {}, NEVER)
    correct(fesa, table, 0.0)
    assert (mails(), FollowedChange.objects.count()) == ({}, 0)


def test_announced_grade_is_mailed(fesa, reader):
    ada = players_of(duel(fesa))[0]
    rerate(fesa.pk)
    follow(reader, ada)
    announce_grades(fesa, unannounced_awards(fesa).filter(player=ada), reason="r")
    assert "SHOGI: grade 3 Kyu announced, from 3 Mar 2024" in lines(mails()["reader@example.org"][1])


def test_published_list_is_mailed(fesa, reader):
    duel(fesa)
    rerate(fesa.pk)
    follow(reader, fesa)
    dated = publish(DatedList(list=fesa, day=dt.date(2024, 3, 31)))
    assert lines(mails()["reader@example.org"][1])[1] == "The list of 31 Mar 2024 was published, with 2 players."
    publish_revision(dated)
    assert (
        lines(mails()["reader@example.org"][1])[1] == "The list of 31 Mar 2024 was published again, with corrections."
    )


@pytest.mark.parametrize(
    ("what", "text"),
    [
        (EventStep.What.SUBMITTED, "The results were received. A rating officer checks them."),
        (EventStep.What.ACCEPTED, "The results were accepted. They are rated within minutes."),
        (EventStep.What.CORRECTED, "The results were corrected. They are rated again within minutes."),
        (EventStep.What.VOIDED, "The event no longer counts."),
    ],
)
def test_step_of_an_event_is_mailed_without_its_note(what, text, fesa, reader):
    event = make_event("Spring Cup", lists=[fesa, make_list("hidden", public=False)])
    follow(reader, event)
    record_event_step(event, what, "Ada cheated")
    body = mails()["reader@example.org"][1]
    assert lines(body)[:2] == ["Spring Cup, 6 Jan 2024, SHOGI", text]
    assert "cheated" not in body


def test_steps_without_public_effect_and_own_steps_are_not_mailed(fesa, reader):
    event = make_event(lists=[fesa])
    follow(reader, event)
    for what in (EventStep.What.RETURNED, EventStep.What.EDITED, EventStep.What.SHARED):
        record_event_step(event, what)
    with act_as(reader):
        record_event_step(event, EventStep.What.CORRECTED)
    assert FollowedChange.objects.count() == 0


def test_mail_about_thousands_of_changes_is_limited(fesa, reader, monkeypatch):
    monkeypatch.setattr(follow_mails, "LINES", 3)
    players = [make_player(f"Name{number}") for number in range(4)]
    for player in players:
        follow(reader, player)
    give_ratings(fesa, players, 1400)
    rerate(fesa.pk)
    body = mails()["reader@example.org"][1]
    assert [line for line in lines(body) if "rating" in line] == ["SHOGI: first rating 1400"] * 3
    assert "more line" in body


# how often


def test_weekly_mail_comes_in_the_next_week_and_once(fesa, reader):
    ada = players_of(duel(fesa))[0]
    with travel(dt.datetime(2026, 11, 25, 12, tzinfo=dt.UTC), tick=False):
        follow(reader, ada, WEEKLY)
        rerate(fesa.pk)
        request_weekly_mails()
        assert mails() == {}
    with travel(dt.datetime(2026, 11, 29, 23, 59, tzinfo=dt.UTC), tick=False):
        request_weekly_mails()
        assert (mails(), FollowedChange.objects.count()) == ({}, 1)
    with travel(dt.datetime(2026, 12, 2, tzinfo=dt.UTC), tick=False):  # the worker was away on Monday
        request_weekly_mails()
        request_weekly_mails()
        assert Notification.objects.count() == 1
        assert "SHOGI: rating 1500 → 1513 (+13)" in lines(mails()["reader@example.org"][1])
        request_weekly_mails()
        assert (Notification.objects.count(), FollowedChange.objects.count()) == (0, 0)


def test_followers_with_weekly_mails_get_no_notification_of_a_run(fesa):
    ada, ben = (make_player(name) for name in ("Ada", "Ben"))
    for player in (ada, ben):
        give_rating(fesa, player, 1500, "2023-01-01")
    weekly, daily = (make_user(name, email=f"{name}@example.org") for name in ("weekly", "daily"))
    follow(weekly, ada, MailFrequency.WEEKLY)
    follow(daily, ada)
    rerate(fesa.pk)
    Notification.objects.all().delete()
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-03-02")
    rerate(fesa.pk)
    assert list(Notification.objects.values_list("kind", "object_id")) == [("followed", daily.pk)]
    assert {change.user_id for change in FollowedChange.objects.all()} == {weekly.pk, daily.pk}


def test_week_begins_on_monday():
    assert start_of_week(dt.datetime(2026, 11, 29, 23, 59, tzinfo=dt.UTC)) == dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
    assert start_of_week(dt.datetime(2026, 11, 30, tzinfo=dt.UTC)) == dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


def test_frequency_of_the_time_of_writing_counts(fesa, reader):
    ada, ben = players_of(duel(fesa))
    rows = [follow(reader, ada), follow(reader, ben)]
    rerate(fesa.pk)
    set_frequencies(reader, {rows[0].pk: NEVER, rows[1].pk: WEEKLY})
    assert (mails(), [row.follow_id for row in FollowedChange.objects.all()]) == ({}, [rows[1].pk])
    assert follow(reader, ada).frequency == NEVER


def test_page_without_mails_stores_nothing(fesa, reader):
    follow(reader, players_of(duel(fesa))[0], NEVER)
    rerate(fesa.pk)
    assert (FollowedChange.objects.count(), Notification.objects.count()) == (0, 0)


# following and its end


def test_following_twice_is_following_once(fesa, reader):
    assert follow(reader, fesa) == follow(reader, fesa)
    assert Follow.objects.count() == 1


def test_number_of_followed_pages_is_limited(fesa, reader, monkeypatch):
    monkeypatch.setattr(following, "MAX_FOLLOWS", 1)
    follow(reader, fesa)
    with pytest.raises(ValidationError, match="You follow 1 pages, which is the limit"):
        follow(reader, make_player())
    assert follow(make_user("other"), make_player()).pk


def test_page_that_is_not_public_cannot_be_followed(fesa, reader):
    draft = make_event(lists=[fesa], state=Event.State.DRAFT)
    kept = make_player()
    for target in (
        make_list("hidden", public=False),
        make_list("compared", comparison_to=fesa),
        draft,
        make_player(shown="anonymous"),
        make_player(merged_into=kept),
    ):
        with pytest.raises(ValidationError, match="cannot be followed"):
            follow(reader, target)


def test_stopping_drops_what_was_not_mailed_yet(fesa, reader):
    ada = players_of(duel(fesa))[0]
    row = follow(reader, ada)
    rerate(fesa.pk)
    assert FollowedChange.objects.count() == 1
    assert stop_following(make_user("other"), row.pk) is None
    assert stop_following(reader, row.pk) is not None
    assert (mails(), FollowedChange.objects.count(), Follow.objects.count()) == ({}, 0, 0)


def test_unsubscribing_ends_all_mails_and_keeps_the_pages(fesa, reader):
    ada, ben = players_of(duel(fesa))
    follow(reader, ada)
    follow(reader, ben, WEEKLY)
    rerate(fesa.pk)
    unsubscribe(reader)
    assert (mails(), FollowedChange.objects.count()) == ({}, 0)
    assert [row.frequency for row in follows_of(reader)] == [NEVER, NEVER]


def test_token_names_its_user_only(reader):
    token = sign_unsubscribing(reader)
    assert read_unsubscribing(token) == reader
    assert read_unsubscribing(token[:-1]) is None
    assert read_unsubscribing("x") is None
    reader.delete()
    assert read_unsubscribing(token) is None


def test_token_outlives_a_new_secret_key_while_the_old_one_is_accepted(reader, settings):
    token = sign_unsubscribing(reader)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another"
    assert read_unsubscribing(token) == reader
    settings.SECRET_KEY_FALLBACKS = []
    assert read_unsubscribing(token) is None


# names


def test_name_is_that_of_the_time_of_writing(fesa, reader):
    ada = players_of(duel(fesa))[0]
    follow(reader, ada)
    rerate(fesa.pk)
    set_visibility(ada, "initials")
    subject, body = mails()["reader@example.org"]
    assert (subject, "Ada" in subject + body) == ("News about A.", False)


def test_player_who_becomes_anonymous_is_followed_no_longer(fesa, reader):
    table = duel(fesa)
    ada, ben = players_of(table)
    follow(reader, ada)
    follow(reader, ben)
    rerate(fesa.pk)
    set_visibility(ada, "anonymous")
    _subject, body = mails()["reader@example.org"]
    assert ("Ada" in body, "AAA2222" in body, "Ben" in body) == (False, False, True)
    assert [str(row) for row in follows_of(reader)] == ["Ben"]


def test_player_hidden_behind_the_portals_back_is_not_named(fesa, reader):
    """As by an administrator’s own SQL, or by a release without following."""
    table = duel(fesa)
    ada, ben = players_of(table)
    club = Club.objects.create(name="Club")
    for player in (ada, ben):
        Membership.objects.create(player=player, club=club)
    follow(reader, ada)
    follow(reader, club)
    rerate(fesa.pk)
    type(ada).objects.filter(pk=ada.pk).update(shown="anonymous")
    _subject, body = mails()["reader@example.org"]
    assert ("Ada" in body, "AAA2222" in body) == (False, False)
    assert "Club members who played: Ben" in body
    assert [str(row) for row in follows_of(reader)] == ["Club"]


def test_erased_person_is_followed_no_longer(fesa, reader):
    ada = players_of(duel(fesa))[0]
    follow(reader, ada)
    rerate(fesa.pk)
    with act_as(make_user("root", is_superuser=True)):
        erase_person(ada, reason="asked")
    assert (mails(), Follow.objects.count(), FollowedChange.objects.count()) == ({}, 0, 0)


def test_list_that_is_no_longer_public_is_not_mailed(fesa, reader):
    ada = players_of(duel(fesa))[0]
    follow(reader, ada)
    rerate(fesa.pk)
    type(fesa).objects.filter(pk=fesa.pk).update(public=False)
    assert mails() == {}


def test_followers_move_with_a_merge(fesa, reader):
    ada = players_of(duel(fesa))[0]
    twin, other = make_player("Twin"), make_user("other")
    for user, player in ((reader, twin), (other, twin), (other, ada)):
        follow(user, player)
    with act_as(make_user("root", is_superuser=True)):
        merge_players(twin, ada, reason="r")
    found = sorted(Follow.objects.values_list("user__username", "player__family_name"))
    assert found == [("other", "Ada"), ("reader", "Ada")]


def test_stored_changes_hold_no_names(fesa, reader):
    table = duel(fesa, event_name="Memorial")
    club = Club.objects.create(name="Clubname")
    for player in players_of(table):
        Membership.objects.create(player=player, club=club)
    for target in (*players_of(table), club, table.event, fesa):
        follow(reader, target)
    rerate(fesa.pk)
    announce_grades(fesa, unannounced_awards(fesa), reason="r")
    publish(DatedList(list=fesa, day=dt.date(2024, 3, 31)))
    stored = " ".join(str(row.data) for row in FollowedChange.objects.all())
    assert {row.kind for row in FollowedChange.objects.all()} == {"rating", "grade", "members", "rated", "published"}
    assert [name for name in ("Ada", "Ben", "Memorial", "Clubname", "reader") if name in stored] == []


# delivery


def test_mail_can_be_ended_with_one_click(fesa, reader, settings):
    """The headers of RFC 8058, section 3.1: both are there, the address is https or http and has no line break."""
    follow(reader, players_of(duel(fesa))[0])
    rerate(fesa.pk)
    Notification.objects.update(next_try_at=timezone.now())
    deliver_outbox()
    (sent,) = mail.outbox
    written = sent.message()
    address = f"{settings.SITE_ADDRESS}/unsubscribe/{sign_unsubscribing(reader).partition(':')[0]}:"
    assert written["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert written["List-Unsubscribe"].startswith(f"<{address}")
    assert written["List-Unsubscribe"].endswith(">")

    unfolded = b" ".join(written.as_bytes().split())
    assert f"List-Unsubscribe: {written['List-Unsubscribe']} List-Unsubscribe-Post: ".encode() in unfolded
    assert written["List-Unsubscribe"].strip("<>") in sent.body


def test_failed_run_leaves_nothing(fesa, reader):
    follow(reader, players_of(duel(fesa))[0])
    with transaction.atomic():
        rerate(fesa.pk)
        stored = FollowedChange.objects.count()
        transaction.set_rollback(True)
    assert (stored, FollowedChange.objects.count(), Notification.objects.count()) == (1, 0, 0)


def test_killed_worker_loses_no_change(fesa, reader, monkeypatch):
    """Composing fails after the mail was written: nothing is stored, and the next attempt writes it."""
    follow(reader, players_of(duel(fesa))[0])
    rerate(fesa.pk)

    def die(*_args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(follow_mails, "queue_mails", lambda *args: (outbox.queue_mails(*args), die()))
        Notification.objects.update(next_try_at=timezone.now())
        with pytest.raises(KeyboardInterrupt):
            compose_mails()
    assert (OutgoingMail.objects.count(), FollowedChange.objects.count(), Notification.objects.count()) == (0, 1, 1)
    assert "SHOGI: rating 1500 → 1513 (+13)" in mails()["reader@example.org"][1]


def test_two_notifications_are_one_mail(fesa, reader):
    follow(reader, players_of(duel(fesa))[0])
    rerate(fesa.pk)
    Notification.objects.create(kind="followed", object_id=reader.pk)
    assert len(mails()) == 1


def test_user_without_address_or_account_gets_no_mail(fesa):
    silent, gone = make_user("silent"), make_user("gone", email="gone@example.org")
    ada = players_of(duel(fesa))[0]
    for user in (silent, gone):
        follow(user, ada)
    rerate(fesa.pk)
    gone.is_active = False
    gone.save()
    assert (mails(), FollowedChange.objects.count()) == ({}, 0)
    gone.delete()
    assert Follow.objects.count() == 1


def test_forgotten_changes_are_deleted(fesa, reader):
    follow(reader, players_of(duel(fesa))[0], WEEKLY)
    rerate(fesa.pk)
    delete_expired()
    assert FollowedChange.objects.count() == 1
    FollowedChange.objects.update(created_at=timezone.now() - dt.timedelta(days=31))
    delete_expired()
    assert FollowedChange.objects.count() == 0


# numbers of queries


def followed_queries(action):
    """Return the verb and table of each query about followers; SQLite needs several inserts for many rows."""
    with CaptureQueriesContext(connection) as queries:
        action()
    words = ("ratings_follow", "ratings_notification", '"account_id" IS NOT NULL')
    found = [query["sql"] for query in queries if any(word in query["sql"] for word in words)]
    verbs = [(sql.split()[0], re.search(r'(?:FROM|INTO) "(\w+)"', sql)[1]) for sql in found]
    return [verb for number, verb in enumerate(verbs) if verb[0] != "INSERT" or verb not in verbs[:number]]


def test_run_without_followers_costs_two_queries(fesa):
    duel(fesa)
    found = followed_queries(lambda: rerate(fesa.pk))
    assert found == [("SELECT", "ratings_follow"), ("SELECT", "ratings_player")]


@pytest.mark.parametrize("number", [4, 40])
def test_number_of_queries_does_not_grow_with_ratings_and_followers(number, fesa):
    """A correction of many results of followed players who have accounts: as many queries as of a few."""
    players = [make_player(account=make_user(f"own{count}")) for count in range(number)]
    give_ratings(fesa, players, 1500, "2023-01-01")
    pairs = [(1, first, first + 1, 1.0) for first in range(1, number, 2)]
    table = make_table(fesa, players, pairs, "2024-04-06")
    rerate(fesa.pk)
    readers = [make_user(f"reader{count}", email=f"reader{count}@example.org") for count in range(number // 2)]
    for user in readers:
        for player in players:
            follow(user, player)
    FollowedChange.objects.all().delete()
    Notification.objects.all().delete()
    seats = [NewEntry(player, place) for place, player in enumerate(players, 1)]
    save_table(table, seats, [NumberedGame(*pair[:3], 0.0) for pair in pairs])
    found = followed_queries(lambda: rerate(fesa.pk))
    assert FollowedChange.objects.count() == number * len(readers) + number
    assert found == [
        ("SELECT", "ratings_follow"),
        ("SELECT", "ratings_follow"),
        ("SELECT", "ratings_player"),
        ("INSERT", "ratings_followedchange"),
        ("SELECT", "ratings_follow"),
        ("SELECT", "ratings_followsettings"),
        ("INSERT", "ratings_notification"),
    ]
    Notification.objects.update(next_try_at=timezone.now())
    Notification.objects.exclude(object_id=readers[0].pk).delete()
    with CaptureQueriesContext(connection) as queries:
        compose_mails()
    assert len(queries) == 13
    assert OutgoingMail.objects.count() == 1
