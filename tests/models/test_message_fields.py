"""Fields that store messages as codes and values, and typed texts as they are."""

import pytest
from django.db.models import TextField, Value
from django.db.models.functions import Cast
from django.forms import modelform_factory

from ratings.models import Decision, RatedTable, Run
from ratings.models.messages import RecordReason, RunReason
from ratings.systems.messages import Message
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def stored(model, field):
    """Return the texts of a column as they are in the database."""
    return list(model.objects.order_by("pk").annotate(raw=Cast(field, TextField())).values_list("raw", flat=True))


def make_decision(reason):
    fesa, (ada, ben) = make_list(), (make_player("Lo Ada"), make_player("Ng Ben"))
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)])
    return Decision.objects.create(
        list=fesa, player=ada, grade="1 Kyu", ruling="given", date="2024-01-01", reason=reason
    )


def test_message_field_stores_code_and_values_and_returns_the_message():
    decision = make_decision(RecordReason.CARRIED_OVER(year=2016))
    assert stored(Decision, "reason") == ['{"code": "record.carried_over", "values": {"year": 2016}}']
    decision.refresh_from_db()
    assert isinstance(decision.reason, Message)
    assert (decision.reason, decision.reason.values) == (
        "starting rating, carried over from the 2016 list",
        {"year": 2016},
    )


@pytest.mark.parametrize("typed", ["published rating", '{"code": "record.opening"}', "[a]", "x; y"])
def test_message_field_returns_typed_text_as_typed(typed):
    decision = make_decision(typed)
    decision.refresh_from_db()
    assert (decision.reason, isinstance(decision.reason, Message)) == (typed, False)
    assert Decision.objects.get(reason=typed) == decision


def test_message_field_rejects_message_without_a_code():
    with pytest.raises(TypeError, match="A message without a code cannot be stored"):
        make_decision(Message("a text"))


@pytest.mark.parametrize(
    ("typed", "is_message"),
    [("starting rating, carried over from the 2016 list", True), ("carried over from the list of 2015", False)],
)
def test_form_keeps_the_message_unless_another_text_is_typed(typed, is_message):
    decision = make_decision(RecordReason.CARRIED_OVER(year=2016))
    form = modelform_factory(Decision, fields=["reason"])({"reason": typed}, instance=decision)
    form.save()
    decision.refresh_from_db()
    assert (decision.reason, isinstance(decision.reason, Message)) == (typed, is_message)


def test_form_limits_the_typed_text():
    form = modelform_factory(Decision, fields=["reason"])({"reason": "x" * 301})
    assert form.errors == {"reason": ["Ensure this value has at most 300 characters (it has 301)."]}


def test_messages_field_stores_messages_and_typed_texts():
    reasons = (RunReason.EVENT_VOIDED(event="Cup"), "player returned from Japan")
    run = Run.objects.create(list=make_list(), reasons=reasons)
    assert stored(Run, "reasons") == [
        '[{"code": "run.event_voided", "values": {"event": "Cup"}}, "player returned from Japan"]'
    ]
    run.refresh_from_db()
    assert run.reasons == reasons
    assert [isinstance(reason, Message) for reason in run.reasons] == [True, False]


def test_messages_field_stores_no_messages_as_empty_text():
    run = Run.objects.create(list=make_list())
    run.refresh_from_db()
    assert (run.reasons, stored(Run, "reasons")) == ((), [""])


def test_messages_field_reads_lines_of_earlier_releases():
    fesa = make_list()
    table = make_table(fesa, [make_player("Lo Ada"), make_player("Ng Ben")], [(1, 1, 2, 1.0)])
    RatedTable.objects.create(list=fesa, table=table, day="2024-01-01", place=0, rounds=1, settled=True)
    RatedTable.objects.update(warnings=Value("one\ntwo", output_field=TextField()))
    assert RatedTable.objects.get().warnings == ("one", "two")
