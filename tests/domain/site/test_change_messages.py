"""Messages about changes hold public ids and numbers of the changes, as docs/webhooks.md shows them."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from standardwebhooks.webhooks import Webhook

from ratings.domain.grades.announcing import announce_grades, undo_announcement
from ratings.domain.lists.publishing import publish, publish_revision
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.players.visibility import set_visibility, undo_visibility
from ratings.domain.results.voiding import void_event
from ratings.domain.runs.rerating import rerate
from ratings.domain.site import change_messages
from ratings.domain.site.acting import act_as
from ratings.domain.site.webhook_attempts import build_body
from ratings.domain.site.webhook_secrets import new_secret, sign_message
from ratings.domain.site.webhooks import delete_subscription
from ratings.models import (
    Adjustment,
    ChangeKind,
    DatedList,
    ListPlayer,
    Merge,
    Player,
    RatingList,
    RecordedStep,
    Run,
    Table,
    WebhookDelivery,
)
from ratings.queries.grades.awards import unannounced_awards
from tests.approvals import correct, decide, earn_5_dan
from tests.factories import give_rating, make_list, make_player, make_table, make_user, rate_every_list

from .webhooks import ALL_KINDS, subscribe

pytestmark = pytest.mark.django_db
DOCUMENT = Path(__file__).parents[3] / "docs" / "webhooks.md"
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)]
KIND = ChangeKind


@pytest.fixture
def fesa():
    return make_list("shogi")


@pytest.fixture
def hook(fesa):
    return subscribe(fesa.federation)[0]


def take_messages(hook, *kinds):
    """Return kind and data of the deliveries of a subscription, oldest first, and delete them."""
    rows = hook.deliveries.order_by("pk")
    found = [(row.kind, row.data) for row in (rows.filter(kind__in=kinds) if kinds else rows)]
    rows.delete()
    return found


def duel(fesa, day="2024-03-02", score=1.0, **fields):
    """Return a table in which the first of two players of 1500, AAA2222 and BBB3333, got a score."""
    players = [make_player(name, public_id=id) for name, id in (("Ada", "AAA2222"), ("Ben", "BBB3333"))]
    for player in players:
        give_rating(fesa, player, 1500, "2023-01-01")
    rerate(fesa.pk)
    return make_table(fesa, players, [(1, 1, 2, score)], day, **fields)


def test_run_sends_new_events_and_changed_ratings(fesa, hook):
    table = duel(fesa)
    assert [kind for kind, _data in take_messages(hook)] == ["rating.changed"]  # the two ratings that were given
    rerate(fesa.pk)
    run = Run.objects.latest("pk").pk
    event = {"list": "shogi", "run": run, "event": table.event.public_id, "tables": [table.pk]}
    changes = [
        {"player": "AAA2222", "before": 1500.0, "after": 1513.0},
        {"player": "BBB3333", "before": 1500.0, "after": 1487.0},
    ]
    assert take_messages(hook) == [
        ("event.rated", event),
        ("rating.changed", {"list": "shogi", "run": run, "part": 1, "parts": 1, "changes": changes}),
    ]


def test_correction_without_a_game_is_sent_beside_the_changes(fesa, hook):
    """Another result in March changes Cy, who met Ada in April only."""
    table = duel(fesa)
    ada, cy = table.entries.get(number=1).player, make_player("Cy", public_id="CCC4444")
    give_rating(fesa, cy, 1500, "2023-01-01")
    make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2024-04-06")
    rerate(fesa.pk)
    take_messages(hook)
    correct(fesa, table, 0.0)
    found = dict(take_messages(hook))
    assert set(found) == {"rating.changed", "rating.corrected"}
    changed = {row["player"] for row in found["rating.changed"]["changes"]}
    corrected = {row["player"]: (row["before"], row["after"]) for row in found["rating.corrected"]["corrections"]}
    assert changed == {"AAA2222", "BBB3333", "CCC4444"}
    assert corrected == {
        correction.player.public_id: (correction.before, correction.after)
        for correction in Run.objects.latest("pk").corrections.select_related("player")
    }
    assert "CCC4444" in corrected


def test_many_changes_are_split(fesa, hook, monkeypatch):
    monkeypatch.setattr(change_messages, "ROWS_AT_MOST", 2)
    players = [make_player(public_id=f"P{number}") for number in range(1, 6)]
    for player in players:
        give_rating(fesa, player, 1400)
    rerate(fesa.pk)
    parts = [
        (data["part"], data["parts"], [row["player"] for row in data["changes"]]) for _kind, data in take_messages(hook)
    ]
    assert parts == [(1, 3, ["P1", "P2"]), (2, 3, ["P3", "P4"]), (3, 3, ["P5"])]


def test_run_costs_one_query_if_nobody_is_told_and_one_insert_otherwise(fesa):
    """The queries of a run with a subscription to another kind are those without any."""

    def count():
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rerate(fesa.pk)
        return [query["sql"] for query in queries if "webhook" in query["sql"]]

    duel(fesa)
    assert [sql.split()[0] for sql in count()] == ["SELECT"]
    for number in range(2):
        subscribe(fesa.federation, f"https://example.org/{number}")
    subscribe(fesa.federation, kinds=["player.merged"])
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-05-04")
    assert [sql.split()[0] for sql in count()] == ["SELECT", "INSERT"]
    assert WebhookDelivery.objects.count() == 4  # an event and its changes, twice


def test_failed_transaction_leaves_nothing(fesa, hook):
    duel(fesa)
    take_messages(hook)
    with transaction.atomic():
        rerate(fesa.pk)
        stored = hook.deliveries.count()
        transaction.set_rollback(True)
    assert (stored, hook.deliveries.count()) == (2, 0)


def test_lists_that_are_not_public_and_comparisons_send_nothing(hook):
    hidden = make_list("hidden", public=False)
    comparison = make_list("other", comparison_to=make_list("source"))
    duel(hidden)
    rate_every_list()
    assert (take_messages(hook), comparison.comparison_to.public) == ([], True)


def test_comparison_sends_nothing(fesa, hook):
    make_list("other", comparison_to=fesa)
    duel(fesa)
    rate_every_list()
    assert {data["list"] for _kind, data in take_messages(hook)} == {"shogi"}


def test_unpublished_ratings_are_left_out(fesa, hook):
    """A player who is no member any more leaves the list, and later changes are nobody's business."""
    table = duel(fesa)
    rerate(fesa.pk)
    take_messages(hook)
    ada = table.entries.get(number=1).player
    ListPlayer.objects.create(list=fesa, player=ada, member=False)
    make_table(fesa, [entry.player for entry in table.entries.order_by("number")], [(1, 1, 2, 1.0)], "2024-04-06")
    rerate(fesa.pk)
    first = dict(take_messages(hook))["rating.changed"]["changes"]
    assert [row for row in first if row["player"] == "AAA2222"] == [
        {"player": "AAA2222", "before": 1513.0, "after": None}
    ]
    make_table(fesa, [entry.player for entry in table.entries.order_by("number")], [(1, 1, 2, 1.0)], "2024-05-04")
    rerate(fesa.pk)
    assert [row["player"] for row in dict(take_messages(hook))["rating.changed"]["changes"]] == ["BBB3333"]


def test_subscription_gets_its_kinds_and_its_federation_only(fesa, hook):
    other = make_list("chess", system="icu-1989", federation="ICU")
    theirs, _ = subscribe(other.federation)
    events, _ = subscribe(fesa.federation, kinds=["event.rated"])
    gone, _ = subscribe(fesa.federation)
    delete_subscription(gone)
    duel(fesa)
    rerate(fesa.pk)
    assert [len(take_messages(each)) for each in (hook, theirs, events, gone)] == [3, 0, 1, 0]


def test_voided_event_changes_ratings_and_is_no_new_event(fesa, hook):
    table = duel(fesa)
    rerate(fesa.pk)
    take_messages(hook)
    with act_as(make_user("root", is_superuser=True)):
        void_event(table.event, reason="rules", explanation="x")
    rerate(fesa.pk)
    kinds = [kind for kind, _data in take_messages(hook)]
    assert "event.rated" not in kinds
    assert "rating.changed" in kinds


def test_published_lists_are_sent(fesa, hook):
    duel(fesa)
    rerate(fesa.pk)
    take_messages(hook)
    dated = publish(DatedList(list=fesa, day=dt.date(2024, 3, 31)))
    data = {"list": "shogi", "day": "2024-03-31", "players": 2, "revised": False}
    grades, published = take_messages(hook)
    assert (grades[0], published) == ("grade.announced", ("list.published", data))
    publish_revision(dated)
    assert take_messages(hook) == [("list.published", data | {"revised": True})]
    hidden = make_list("hidden", public=False)
    publish(DatedList(list=hidden, day=dt.date(2024, 3, 31)))
    assert take_messages(hook) == []


def test_announced_grades_and_their_withdrawal_are_sent(fesa, hook):
    duel(fesa)
    rerate(fesa.pk)
    take_messages(hook)
    announce_grades(fesa, unannounced_awards(fesa).filter(player__public_id="AAA2222"), reason="r")
    rows = [{"player": "AAA2222", "grade": "3 Kyu", "from": "2024-03-03"}]
    expected = {"list": "shogi", "withdrawn": False, "part": 1, "parts": 1, "grades": rows}
    assert take_messages(hook) == [("grade.announced", expected)]
    with act_as(make_user("root", is_superuser=True)):
        undo_announcement(RecordedStep.objects.latest("pk"))
    assert take_messages(hook, "grade.announced") == [("grade.announced", expected | {"withdrawn": True})]


def test_approved_grade_is_sent(fesa, hook):
    sato, _table = earn_5_dan(fesa)
    take_messages(hook)
    decide(fesa, granted=True)
    rows = [{"player": sato.public_id, "grade": "5 Dan", "from": "2025-02-02"}]
    assert take_messages(hook, "grade.announced") == [
        ("grade.announced", {"list": "shogi", "withdrawn": False, "part": 1, "parts": 1, "grades": rows})
    ]


def test_declined_grade_is_not_sent(fesa, hook):
    earn_5_dan(fesa)
    take_messages(hook)
    decide(fesa, granted=False)
    assert take_messages(hook, "grade.announced") == []


def test_merge_and_its_undoing_are_sent(fesa, hook):
    duel(fesa)
    rerate(fesa.pk)
    ada = Table.objects.get().entries.get(number=1).player
    gone = make_player("Twin", public_id="TTT6666", shown="initials")
    take_messages(hook)
    with act_as(make_user("root", is_superuser=True)):
        merge_players(gone, ada, reason="r")
        assert take_messages(hook) == [
            ("player.hidden", {"players": ["AAA2222"], "shown": "initials", "erased": False}),
            ("player.merged", {"player": "TTT6666", "into": "AAA2222", "undone": False}),
        ]
        undo_merge(Merge.objects.get())
    assert take_messages(hook) == [("player.merged", {"player": "TTT6666", "into": "AAA2222", "undone": True})]


@pytest.mark.parametrize("is_hidden_kept", [True, False])
def test_players_who_are_hidden_by_a_merge_are_sent_with_those_merged_into_them(is_hidden_kept, fesa, hook):
    duel(fesa)
    earlier, gus = (make_player(name, public_id=id) for name, id in (("Xaver", "XXX2222"), ("Gus", "GGG2222")))
    for player, day in ((earlier, "2023-01-01"), (gus, "2022-01-01")):
        give_rating(fesa, player, 1500, day)
    rerate(fesa.pk)
    ben = Player.objects.get(public_id="BBB3333")
    with act_as(make_user("root", is_superuser=True)):
        merge_players(earlier, gus, reason="r")
        set_visibility(ben, "anonymous")
        take_messages(hook)
        gone, kept = (gus, ben) if is_hidden_kept else (ben, gus)
        merge_players(Player.objects.get(pk=gone.pk), Player.objects.get(pk=kept.pk), reason="r")
    hidden = {"players": ["GGG2222", "XXX2222"], "shown": "anonymous", "erased": False}
    assert take_messages(hook, "player.hidden") == [("player.hidden", hidden)]


def test_corrections_are_those_of_the_changed_ratings_as_they_are_shown():
    go = make_list("go", system="egf-2021")
    hook, _ = subscribe(go.federation)
    names = ("AAA2222", "BBB3333", "CCC2222", "CCC3333", "CCC4444", "CCC5555", "DDD2222")
    players = [make_player(name, public_id=name) for name in names]
    for place, player in enumerate(players):
        Adjustment.objects.create(
            list=go, player=player, date=dt.date(2023, 1, 1), set={"rating": 1500 + 37 * (place % 6)}, reason="r"
        )
    first = make_table(go, players[:2], [(1, 1, 2, 1.0)], "2024-03-02")
    make_table(go, [players[0], *players[2:6]], [(n, 1, n + 1, 1.0) for n in range(1, 5)], "2024-04-06")
    make_table(go, [players[2], players[6]], [(1, 1, 2, 1.0)], "2024-05-06")
    RatingList.objects.filter(pk=go.pk).update(out_of_date_from="2020-01-01")
    rerate(go.pk)
    take_messages(hook)
    correct(go, first, 0.0)
    found = dict(take_messages(hook))
    rows, corrections = found["rating.changed"]["changes"], found["rating.corrected"]["corrections"]
    assert [row for row in corrections if row["before"] == row["after"] or row not in rows] == []
    # DDD2222 met a player whose rating moved by less than half a point through the correction
    assert "DDD2222" not in {row["player"] for row in corrections}


def test_hiding_a_player_is_sent_and_showing_them_again_is_not(fesa, hook):
    duel(fesa)
    ada = Table.objects.get().entries.get(number=1).player
    take_messages(hook)
    found = []
    with act_as(make_user("root", is_superuser=True)):
        for shown in ("initials", "anonymous", "full", "initials"):
            set_visibility(ada, shown)
            ada.refresh_from_db()
            found.append(take_messages(hook))
        undo_visibility(RecordedStep.objects.latest("pk"))
        found.append(take_messages(hook))

    def hidden(shown):
        return [("player.hidden", {"players": ["AAA2222"], "shown": shown, "erased": False})]

    assert found == [hidden("initials"), hidden("anonymous"), [], hidden("initials"), []]


def test_player_of_another_federation_is_not_sent(hook):
    icu = make_list("chess", system="icu-1989", federation="ICU")
    theirs, _ = subscribe(icu.federation)
    player = make_player("Ada", public_id="AAA2222")
    ListPlayer.objects.create(list=icu, player=player)
    set_visibility(player, "anonymous")
    assert (take_messages(hook), [kind for kind, _ in take_messages(theirs)]) == ([], ["player.hidden"])


def test_erased_person_is_sent_by_id_without_a_name(fesa, hook):
    duel(fesa)
    rerate(fesa.pk)
    ada = Table.objects.get().entries.get(number=1).player
    twin = make_player("Adatwin", "Unheard", public_id="TTT6666")
    hook.name = "For Unheard Adatwin"
    hook.save()
    with act_as(make_user("root", is_superuser=True)):
        merge_players(twin, ada, reason="r")
        take_messages(hook)
        erase_person(ada, reason="asked")
    assert take_messages(hook, "player.hidden") == [
        ("player.hidden", {"players": ["AAA2222", "TTT6666"], "shown": "anonymous", "erased": True})
    ]
    hook.refresh_from_db()
    assert hook.name == "For Player TTT6666"


def test_no_payload_contains_a_name(fesa, hook):
    """Names, native names, countries and clubs of everybody, also in the names of events."""
    duel(fesa, event_name="Grand Ada Memorial")
    rerate(fesa.pk)
    announce_grades(fesa, unannounced_awards(fesa), reason="earned by Win")
    publish(DatedList(list=fesa, day=dt.date(2024, 3, 31)))
    with act_as(make_user("root", is_superuser=True)):
        set_visibility(Table.objects.first().entries.get(number=1).player, "anonymous")
    bodies = b" ".join(build_body(delivery) for delivery in hook.deliveries.all()).decode()
    assert [name for name in ("Ada", "Ben", "Win", "Memorial", "script", "root", "earned") if name in bodies] == []
    assert {row.kind for row in hook.deliveries.all()} >= {"event.rated", "grade.announced", "list.published"}


# docs/webhooks.md


def test_document_has_an_example_of_each_kind():
    assert [example["kind"] for example in EXAMPLES] == [*ALL_KINDS, "ping"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["kind"])
def test_examples_of_the_document_have_the_form_of_real_messages(example, fesa, hook):
    """Each kind is sent for real; names and types of all values are those of the example."""
    real = make_real_messages(fesa, hook)[example["kind"]]
    assert describe(real) == describe(example)
    assert (real["sequence"] is None) == (example["sequence"] is None)
    for name in ("kind", "federation"):
        assert real[name] == example[name]


def make_real_messages(fesa, hook):
    """Return a real message of each kind."""
    table = duel(fesa)
    ada, cy = table.entries.get(number=1).player, make_player("Cy", public_id="CCC4444")
    give_rating(fesa, cy, 1500, "2023-01-01")
    make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2024-04-06")
    rerate(fesa.pk)
    correct(fesa, table, 0.0)
    announce_grades(fesa, unannounced_awards(fesa), reason="r")
    rerate(fesa.pk)
    publish(DatedList(list=fesa, day=dt.date(2024, 12, 31)))
    with act_as(make_user("root", is_superuser=True)):
        set_visibility(ada, "anonymous")
        merge_players(make_player("Twin"), ada, reason="r")
    WebhookDelivery.objects.create(subscription=hook, kind="ping")
    rows = list(hook.deliveries.order_by("pk"))
    for number, row in enumerate(rows, 1):
        row.number = None if row.kind == "ping" else number
    return {row.kind: json.loads(build_body(row)) for row in rows}


def describe(value):
    """Return the form of a JSON value: names of an object, the form of the first item of a list, else the type.

    Only numbers can be null.
    """
    if isinstance(value, dict):
        return {name: describe(each) for name, each in value.items()}
    if isinstance(value, list):
        return [describe(value[0])]
    is_number = value is None or (isinstance(value, int | float) and not isinstance(value, bool))
    return "number" if is_number else type(value).__name__


def test_python_of_the_document_checks_signatures():
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    names = {}
    exec(code, names)  # noqa: S102 - our own document
    secret, body = new_secret(), b'{"id":"msg_1"}'
    headers = sign_message("msg_1", timezone.now(), body, [new_secret(), secret])
    assert (names["is_genuine"](secret, headers, body), Webhook(secret).verify(body, headers)) == (
        True,
        {"id": "msg_1"},
    )
    assert not names["is_genuine"](new_secret(), headers, body)
    assert not names["is_genuine"](secret, headers, body + b" ")
    old = sign_message("msg_1", timezone.now() - dt.timedelta(minutes=6), body, [secret])
    assert not names["is_genuine"](secret, old, body)
