"""Record the claims that were answered and the grades that were announced before steps were recorded."""

import datetime as dt

from django.db import migrations

EARNED = "; earned "  # announcing wrote its own reason, this, and how the grade was earned


def record_earlier_steps(apps, _editor):
    steps, claims, decisions = (apps.get_model("ratings", name) for name in ("RecordedStep", "Claim", "Decision"))
    for claim in claims.objects.filter(state__in=["granted", "declined"]).order_by("answered_at", "pk"):
        steps.objects.create(
            what="claim answered", player_id=claim.player_id, values={"claim": claim.pk, "state": claim.state},
            reason=claim.answer[:300], by_id=claim.answered_by_id, at=claim.answered_at or claim.at,
        )  # fmt: skip
    announced = decisions.objects.filter(ruling="kept", before=None, reason__contains=EARNED)
    for decision in announced.order_by("made_at", "pk").iterator():
        day = decision.date - dt.timedelta(days=1)
        steps.objects.create(
            what="grade announced", player_id=decision.player_id, list_id=decision.list_id,
            values={"decision": decision.pk, "grade": decision.grade, "day": day.isoformat()},
            reason=decision.reason.partition(EARNED)[0], by_id=decision.made_by_id, at=decision.made_at,
        )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("ratings", "0023_recorded_steps")]
    operations = [migrations.RunPython(record_earlier_steps, migrations.RunPython.noop, elidable=True)]
