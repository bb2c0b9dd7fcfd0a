"""Webhooks with real workers that are killed, and a program that fails, hangs and comes back."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ratings.domain.runs.rerating import rerate
from ratings.models import WebhookSubscription
from tests.domain.site.webhooks import subscribe
from tests.factories import give_rating, make_list, make_player, make_table
from tests.receiver import Receiver

from .environment import environment, eventually

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]
EVENTS = 12


class Workers:
    """Processes of workers, which are killed with their children."""

    def __init__(self, folder):
        self.folder, self.process = folder, None

    def start(self):
        script = Path(__file__).parent / "webhook_worker.py"
        own = environment() | {"SWEEP_SECONDS": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
        with (self.folder / "worker.log").open("a") as log:
            command = [sys.executable, script, self.folder / "beat"]
            self.process = subprocess.Popen(command, env=own, stdout=log, stderr=log, start_new_session=True)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for left in self.folder.glob("beat*"):
            left.unlink()

    def log(self):
        return (self.folder / "worker.log").read_text()[-3000:]


@pytest.fixture
def workers(tmp_path):
    made = Workers(tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def receiver(settings):
    settings.WEBHOOKS_TO_ANY_ADDRESS = True
    with Receiver().running() as running:
        yield running


def test_every_change_arrives_in_order_while_workers_are_killed(workers, receiver):
    fesa, players = make_list(), [make_player(), make_player()]
    for player in players:
        give_rating(fesa, player, 1500, "2023-01-01")
    rerate(fesa.pk)
    hook, _secret = subscribe(fesa.federation, receiver.address, kinds=["event.rated", "rating.changed"])
    receiver.answers = [500, "hang", 204, "close", 503, 204, 204, "swallow"]
    for day in range(1, EVENTS + 1):
        make_table(fesa, players, [(1, 1, 2, 1.0)], f"2024-03-{day:02}")
        rerate(fesa.pk)
    eventually(lambda: not receiver.answers, state=workers.log)  # the worker waits for an answer that never comes
    workers.kill()
    assert WebhookSubscription.objects.get().claimed_by != ""
    held = receiver.accepted[-1]
    workers.start()
    eventually(lambda: hook.deliveries.exclude(status="delivered").count() == 0, state=workers.log)
    assert receiver.sequence() == list(range(1, 2 * EVENTS + 1))
    kinds = list({body["sequence"]: body["kind"] for body in receiver.accepted}.values())
    assert kinds == ["event.rated", "rating.changed"] * EVENTS
    assert [body["id"] for body in receiver.accepted].count(held["id"]) == 2  # sent again by the other worker
    in_order = [body["sequence"] for body in receiver.accepted]
    assert in_order == sorted(in_order)
    assert hook.deliveries.count() == len(set(receiver.ids()))
    hook.refresh_from_db()
    assert (hook.claimed_by, hook.failing_since, hook.state) == ("", None, "active")
