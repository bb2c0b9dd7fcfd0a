"""Typing results on a submission's page, for tests."""

from ratings.formats.sheet_content import content_from_json
from ratings.models import Submission


def begin(client, event, players=3, rounds=1):
    response = client.post(
        f"/organise/events/{event.public_id}/results/", {"blank": "1", "players": players, "rounds": rounds}
    )
    return Submission.objects.get(pk=response.url.split("/")[-2])


def typed(players, *rows, button="check", **more):
    """The fields of a submission's page; a row of texts for every player."""
    data = {button: "1"}
    for number, (player, row) in enumerate(zip(players, rows, strict=True), 1):
        data[f"row-{number}-player"] = player.public_id if player else ""
        for round_, text in enumerate(row, 1):
            data[f"row-{number}-round-{round_}"] = text
    return data | more


def save(client, submission, players, *rows, **more):
    """Post a submission's page; all warnings get a word."""
    response = client.post(submission.get_absolute_url(), typed(players, *rows, **more))
    if response.status_code == 200 and (warnings := response.context["checked"].warnings):
        words = {f"confirm-{warning.key}": "it is" for warning in warnings}
        response = client.post(submission.get_absolute_url(), typed(players, *rows, **more, **words))
    submission.refresh_from_db()
    return response


def enter(client, event, players, *rows, **more):
    """A table typed, submitted and accepted, all by one officer."""
    submission = begin(client, event, len(players), max(len(row) for row in rows))
    save(client, submission, players, *rows, **more)
    accept(client, event)
    submission.refresh_from_db()
    return submission.table


def accept(client, event):
    for step in ("submit", "accept"):
        client.post(f"/organise/events/{event.public_id}/{step}/")


def list_findings(response, level="error"):
    return [
        f"row {f.row}, round {f.round}: {f.message}" for f in response.context["checked"].findings if f.level == level
    ]


def cells(submission):
    return [row.cells for row in content_from_json(submission.content).rows]
