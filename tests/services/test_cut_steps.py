"""Each step of an event and each merge is done whole or not at all: the connection to PostgreSQL is cut after every
single write of it, one after the other.
"""

import psycopg
import pytest
from auditlog.models import LogEntry
from django.apps import apps
from django.db import connection

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Event, Merge, Player
from tests.factories import make_event, make_list, make_player, make_table
from tests.portal.results.way import CLEAN, person, posted

from .environment import environment
from .invariants import state_problems

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]


class Cut:
    """Count the writes to the portal's tables, and cut the connection after one of them."""

    def __init__(self, after):
        self.after, self.writes = after, 0

    def __call__(self, execute, sql, parameters, many, context):
        result = execute(sql, parameters, many, context)
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and '"ratings_' in sql:
            self.writes += 1
            if self.writes == self.after:
                cut(context["connection"].connection.info.backend_pid)
        return result


def cut(pid):
    with psycopg.connect(environment()["DATABASE_URL"]) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])


def everything():
    """Return all rows of the portal and the trail of changes."""
    models = [*apps.get_app_config("ratings").get_models(include_auto_created=True), LogEntry]
    managers = [getattr(model, "with_deleted", model._default_manager) for model in models]
    return {manager.model._meta.label: sorted(map(repr, manager.values_list())) for manager in managers}


@pytest.fixture
def event(db):
    organiser = person("organiser", ORGANISERS)
    fesa, players = make_list(), [make_player(*name, country=country) for *name, country in
                                  (("Adler", "Zoë", "FR"), ("Bauer", "Max", "DE"), ("Capek", "Jan", "CZ"))]  # fmt: skip
    make_table(fesa, [players[1], make_player("Adler", "Zara", country="FR")], [(1, 1, 2, 1.0)], "2023-01-07")
    return make_event("Autumn Cup", "2024-05-04", [fesa], state="draft", created_by=organiser, place="Lyon",
                      time_control="30min + 30sec")  # fmt: skip


def life(event, organiser, officer):
    """Yield who sends which form, one after the other."""
    page = f"/organise/events/{event.public_id}/"

    def undo():
        return officer, f"{page}history/{event.steps.last().pk}/undo/", {}

    yield organiser, f"{page}results/", {"text": CLEAN}
    submission = event.submissions.get()
    yield organiser, f"/organise/sheets/{submission.pk}/", posted(submission, name="A", version="0")
    yield organiser, f"/organise/sheets/{submission.pk}/delete/", {}
    yield organiser, f"/organise/sheets/{submission.pk}/restore/", {}
    yield organiser, f"{page}delete/", {}
    yield organiser, f"{page}restore/", {}
    yield organiser, f"{page}submit/", {}
    yield organiser, f"{page}withdraw/", {}
    yield undo()
    yield officer, f"{page}return/", {"note": "Look at round 2"}
    yield undo()
    yield officer, f"{page}accept/", {}
    yield officer, f"{page}void/", {"reason": "rules", "explanation": "Games of ten minutes", "read": "on"}
    yield officer, f"{page}restore/", {}
    table = event.tables.get()
    yield organiser, f"/organise/tables/{table.pk}/correct/", {}
    correction = event.submissions.get(state="working")
    changed = {"reason": "typo", "row-1-round-1": "2=", "row-2-round-1": "1="}
    yield organiser, f"/organise/sheets/{correction.pk}/", posted(correction, **changed)
    yield organiser, f"{page}submit/", {}
    yield officer, f"{page}accept/", {}
    yield undo()
    gone, kept = (Player.objects.get(given_name=name).public_id for name in ("Zoë", "Zara"))
    yield officer, "/organise/merge/", {"gone": gone, "kept": kept, "reason": "One person"}
    yield officer, f"/organise/merges/{Merge.objects.get().pk}/undo/", {}
    yield officer, f"/organise/tables/{table.pk}/delete/", {"reason": "twice"}
    yield officer, f"/organise/tables/{table.pk}/restore/", {}


def test_step_whose_connection_is_cut_after_any_write_is_not_done_at_all(client, event):
    client.raise_request_exception = False
    began, officer, cut_off = dict(Event.objects.values_list("pk", "state")), person("officer", OFFICERS), 0
    for user, path, sent in life(event, event.created_by, officer):
        client.force_login(user)
        before, status, after = everything(), 503, 0
        while status == 503:
            after += 1
            with connection.execute_wrapper(Cut(after)):
                answer = client.post(path, sent)
                status = answer.status_code
            if status == 503:
                connection.close()
                assert (path, after, everything()) == (path, after, before)
        cut_off += after - 1
        assert (path, status, answer.context and answer.context.get("problems")) in {
            (path, 200, None),
            (path, 302, None),
        }
        assert after > 1, f"{path} wrote nothing"
        assert everything() != before
        assert list(state_problems(began)) == []
    assert cut_off > 100
