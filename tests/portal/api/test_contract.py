"""Schemathesis asks every address what its description allows, and what it does not."""

import datetime as dt

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi import definitions
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

from portal.api.site import api
from portal.wsgi import application
from ratings.domain.events.pairing_programs import create_pairing_secret
from ratings.domain.lists.publishing import publish
from ratings.domain.runs.checkpoints import write_missing_checkpoints
from ratings.domain.runs.log_keys import create_key
from ratings.domain.site.acting import act_as
from ratings.models import ApiKey, DatedList, EntryList
from tests.domain.site.webhooks import store, subscribe
from tests.factories import make_event
from tests.thorough import share

from .proposed import make_proposal

load_all_checks()
PLAIN = {"Accept-Encoding": "identity"}  # the checks do not unpack
FEW = settings(max_examples=share(15, 1), derandomize=True, database=None, suppress_health_check=list(HealthCheck))
LEFT_OUT = [
    positive_data_acceptance,  # a cursor has to be one of ours, a rating one that the system has
    ignored_auth,  # asks once more without the key, which tests of its own do
]
SCHEMA = schemathesis.openapi.from_dict(api.get_openapi_schema())
SCHEMA.app = lambda environ, start: application({"REMOTE_ADDR": "192.0.2.1"} | environ, start)
OPERATIONS = [result.ok() for result in SCHEMA.get_all_operations()]


@pytest.fixture(autouse=True)
def same_transaction():
    """As Django's own test client does: the connection of the test stays open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def named(site, organiser, bearer, settings):
    """Return existing ids for the parameters of addresses; the key has all scopes."""
    settings.API_RATE = 1_000_000
    site.list.federation.administrators.add(organiser)
    webhook, _ = subscribe(site.list.federation, owner=organiser)
    store(webhook, 1)
    ApiKey.objects.update(scopes=ApiKey.Scope.values)
    draft = make_event("Draft", "2024-05-04", [site.list], state="draft", created_by=organiser)
    coming = make_event("Coming", "2024-07-04", [site.list], state="draft", announced_at=timezone.now())
    EntryList.objects.create(event=coming)
    create_key("portal.example")
    write_missing_checkpoints()
    publish(DatedList(list=site.list, day=dt.date(2024, 3, 1)))
    proposal, _ = make_proposal(site.list, [site.ada, site.ben])
    with act_as(organiser):
        bearer["X-Pairgoth-Secret"] = create_pairing_secret(coming)

    def of(path):
        event = draft if path.endswith(("draft", "results")) else coming if path.endswith("roster") else site.event
        public_id = site.ada.public_id if "/players/" in path else event.public_id
        table, hook = site.table.pk, webhook.pk
        program = {"code": coming.public_id, "number": 1}
        found = {"table": table, "webhook": hook, "checkpoint": 1, "proposal": proposal.pk}
        return program | found | {"slug": "fesa", "public_id": public_id, "day": "2024-03-01"}

    return of


@pytest.mark.django_db
def test_description_is_a_valid_one(client):
    definitions.OPENAPI_31_VALIDATOR.validate(client.get("/api/v1/openapi.json").json())


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_replies_are_as_described(operation, mode, named, bearer):
    @FEW
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        case.call_and_validate(headers={**bearer, **PLAIN}, excluded_checks=LEFT_OUT)
        if case.path_parameters:
            known = named(operation.path)
            # what was wrong may have been there; a parameter that nobody knows is not looked at
            case.path_parameters = {name: known[name] for name in case.path_parameters}
            case.call_and_validate(headers={**bearer, **PLAIN}, excluded_checks=[*LEFT_OUT, negative_data_rejection])

    try:
        ask()
    except Unsatisfiable:
        assert mode == GenerationMode.NEGATIVE  # where nothing is asked for, or any text will do
