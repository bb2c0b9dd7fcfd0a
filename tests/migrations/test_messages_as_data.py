"""Conversion of texts that earlier releases stored in English to codes and values."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db.models import F, TextField, Value
from django.db.models.functions import Cast

from ratings.domain.results.findings import Finding
from ratings.formats.problems import FileProblem, SubmissionProblem
from ratings.models import Change, Decision, EventStep, RatedTable, Run, Submission
from ratings.models.messages import RecordReason, RunReason
from ratings.systems.fesa.messages import FesaMessage
from ratings.systems.messages import AwardMessage, Message, find_code, message_from_json, message_to_json
from tests.factories import make_list, make_player, make_table
from tests.shared import reused

migration = import_module("ratings.migrations.0032_messages_as_data")


class EarlierApps:
    """The models as they are now, by the names that they had then."""

    @staticmethod
    def get_model(app, name):
        return apps.get_model(app, {"Sheet": "Submission"}.get(name, name))


def store_text(rows, **texts):
    rows.update(**{name: Value(text, output_field=TextField()) for name, text in texts.items()})


@pytest.fixture
@reused
def fesa(db):
    fesa = make_list()
    table = make_table(fesa, [make_player("Lo Ada"), make_player("Ng Ben")], [(1, 1, 2, 1.0)])
    RatedTable.objects.create(list=fesa, table=table, day="2024-01-01", place=0, rounds=1, settled=True)
    return fesa


def parts(message):
    return (str(message), message.code, message.values) if isinstance(message, Message) else message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the file is empty", FileProblem.FILE_EMPTY()),
        ("60,000 games; at most 50,000 are read", FileProblem.TOO_MANY_GAMES(body=60000, most=50000)),
        ("Lo Ada plays himself", FileProblem.PLAYS_SELF(name="Lo Ada")),
        ("the last day 2024-01-02 is before the first, 2024-01-03",
         FileProblem.LAST_DAY_BEFORE_FIRST(end="2024-01-02", start="2024-01-03")),
        ("+ against - in row 3: the two results must add up to 1",
         FileProblem.RESULTS_CONTRADICT(cell="+", mirror="-", opponent="3")),
        ("names row 3, but row 3 names nobody in this round", FileProblem.OPPONENT_NAMES_NOBODY(opponent="3")),
        ("names row 3, but row 4 names nobody in this round", None),
        ("handicap missing against (-2p) in row 3: both rows need the same handicap, one given (-) and one received (+)",
         FileProblem.HANDICAPS_CONTRADICT(mark=FileProblem.MISSING(), mirror_mark="(-2p)", opponent="3")),
        ("“Cup” has these very results already", SubmissionProblem.SAME_RESULTS_STORED(event="Cup")),
        ("the clock was broken", None),
    ],
)  # fmt: skip
def test_converter_returns_code_and_values_of_known_texts_only(text, message):
    converted = migration.Converter(migration.SUBMISSION, migration.FILE).convert(text)
    assert parts(message_from_json(converted)) == (text if message is None else parts(message))


def test_every_code_of_the_migration_exists():
    tables = (migration.RATING, migration.FILE, migration.SUBMISSION, migration.RUN, migration.RECORD, migration.AWARD,
              migration.ANNOUNCED, migration.NESTED)  # fmt: skip
    codes = {code for table in tables for code in table.values()}
    assert [code for code in codes if find_code(code) is None] == []


def test_every_pattern_has_the_values_of_its_code():
    for table in (migration.RATING, migration.FILE, migration.SUBMISSION, migration.RUN, migration.RECORD):
        for pattern, code in table.items():
            names = {name for name, _format in migration.VALUE.findall(pattern)}
            needed = {name for name, _format in migration.VALUE.findall(find_code(code).value)}
            assert needed <= names | {"what"}, (pattern, code)


def test_migration_converts_runs_and_keeps_typed_reasons(fesa):
    run = Run.objects.create(list=fesa, state=Run.State.FINISHED)
    texts = ["Cup was accepted or changed", "decision of 2024-01-02 for player K7QW2RT taken back", "player came back"]
    store_text(Run.objects.filter(pk=run.pk), reasons="; ".join(texts))
    migration.convert_messages(EarlierApps, None)
    run.refresh_from_db()
    whom = RunReason.OF_PLAYER(player="K7QW2RT")
    expected = [RunReason.EVENT_CHANGED(event="Cup"), RunReason.DECISION_WITHDRAWN(date="2024-01-02", whom=whom)]
    assert [parts(reason) for reason in run.reasons] == [*map(parts, expected), "player came back"]


def test_migration_converts_warnings_and_notes(fesa):
    store_text(RatedTable.objects, warnings="3 handicap games are not rated in this edition\nsomething else")
    table = RatedTable.objects.get()
    Change.objects.bulk_create(
        Change(list=fesa, player=seat.player, day="2024-01-01", place=0, table=table.table, category="rated",
               category_after="rated", games=0, state="{}", note=note)
        for seat, note in zip(table.table.entries.order_by("pk"), ["no rated game", "typed"], strict=True)
    )  # fmt: skip
    migration.convert_messages(EarlierApps, None)
    (first, second), table = Change.objects.order_by("pk"), RatedTable.objects.get()
    assert [parts(text) for text in table.warnings] == [
        parts(FesaMessage.HANDICAPS_NOT_RATED(handicaps="3")), "something else"
    ]  # fmt: skip
    assert (first.note.code, second.note) == ("rating.no_rated_game", "typed")


def test_migration_converts_reason_of_an_announcement(fesa):
    player = RatedTable.objects.get().table.entries.first().player
    decision = Decision.objects.create(list=fesa, player=player, grade="1 Kyu", ruling="kept", date="2024-01-01")
    store_text(Decision.objects, reason="announced with the list of 2024-02-01; earned 2024-01-01 (bound to get it)")
    migration.convert_messages(EarlierApps, None)
    decision.refresh_from_db()
    assert parts(decision.reason) == parts(
        RecordReason.EARNED(
            reason=RecordReason.ANNOUNCED_WITH_LIST(day="2024-02-01"), day="2024-01-01",
            how=AwardMessage.BOUND_TO_GET_IT(),
        )
    )  # fmt: skip


def test_migration_keeps_confirmed_warnings_of_drafts(fesa):
    text = "the file is of Bonn, the event is in Kiel: is it the right file?"
    old = Finding("warning", text)
    remark = {"level": "warning", "message": text, "line": None, "row": None, "round": None}
    content = {"rounds": 0, "rows": [], "remarks": [remark], "confirmed": {old.text_key: "moved"}}
    event = RatedTable.objects.get().table.event
    submission = Submission.objects.create(event=event, first_day="2024-01-01", last_day="2024-01-01", content=content,
                                 warnings=[[2, None, "points 2, but MacMahon and results give 1", "a slip"]])  # fmt: skip
    migration.convert_messages(EarlierApps, None)
    submission.refresh_from_db()
    message = SubmissionProblem.PLACE_DIFFERS(place="Bonn", event="Kiel")
    assert submission.content["remarks"][0]["message"] == message_to_json(message)
    assert submission.content["confirmed"][Finding("warning", message).key] == "moved"
    ((_row, _round, warning, reason),) = submission.confirmed_warnings
    assert (parts(warning), reason) == (parts(FileProblem.POINTS_DIFFER(points="2", counted="1")), "a slip")


def test_migration_keeps_typed_reasons_of_decisions(fesa):
    player = RatedTable.objects.get().table.entries.first().player
    Decision.objects.create(
        list=fesa, player=player, grade="1 Kyu", ruling="kept", date="2024-01-01", reason="announced"
    )
    migration.convert_messages(EarlierApps, None)
    assert parts(Decision.objects.get().reason) == "announced"


def test_migration_converts_summaries(fesa):
    event = RatedTable.objects.get().table.event
    step = EventStep.objects.create(
        event=event, what="submitted", data={"summary": {"odd": [["A", "changes by +200 points"]]}}
    )
    migration.convert_messages(EarlierApps, None)
    step.refresh_from_db()
    assert step.data == {"summary": {"odd": [["A", message_to_json(SubmissionProblem.BIG_CHANGE(change="+200"))]]}}


def test_migration_changes_nothing_twice(fesa):
    Run.objects.create(list=fesa, state=Run.State.FINISHED)
    store_text(Run.objects.filter(state=Run.State.FINISHED), reasons="Cup was accepted or changed")
    migration.convert_messages(EarlierApps, None)
    raw = Run.objects.annotate(raw=Cast(F("reasons"), TextField()))
    once = raw.get(state=Run.State.FINISHED).raw
    migration.convert_messages(EarlierApps, None)
    assert raw.get(state=Run.State.FINISHED).raw == once
