"""Steps on the way of a result, as people take them on its pages."""

import re

from django.contrib.auth.models import Group

from ratings.access import ORGANISERS
from ratings.domain.results.summaries import Summary, summary_to_json
from ratings.domain.site.roles import ensure_roles
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event, EventStep, Submission
from tests.domain.results.hall.halls import make_hall
from tests.factories import give_ratings, make_event, make_player, make_user
from tests.markup import markup

GRID = """[Autumn Cup, Lyon, France, 2024-05-04]
[2024-05-04]
[Time control: 30min + 30sec]
1 [Adler][Zoë] FR [2+ 3+] 2
2 [Bauer][Max] DE [1+ 0+] 1
3 [Capek][Jan] CZ [0- 2-] 0
"""


def person(name, group, **fields):
    ensure_roles()  # emptied with the tables of the test before
    user = make_user(name, email=f"{name}@example.org", **fields)
    if group:
        user.groups.add(Group.objects.get(name=group))
    return user


def make_hall_of_organiser():
    """Return a hall of `make_hall` whose event belongs to the organiser paul."""
    hall = make_hall()
    hall.event.created_by = person("paul", ORGANISERS)
    hall.event.save()
    return hall


def make_players(fesa):
    several = [
        make_player("Adler", "Zoë", public_id="A2"),
        make_player("Bauer", "Max", country="DE", public_id="B2"),
        make_player("Čapek", "Jan", country="CZ", public_id="C2"),
    ]
    give_ratings(fesa, several, 2000)
    return several


def make_waiting_event(name, rating_list, warnings=()):
    """Return an event with a submission that has a summary, and warnings with their reasons."""
    event = make_event(name, lists=[rating_list], state=Event.State.SUBMITTED)
    Submission.objects.create(
        event=event, first_day=event.start, last_day=event.end, state="submitted", warnings=list(warnings)
    )
    summary = summary_to_json(Summary(players=4, games=2))
    EventStep.objects.create(event=event, what="submitted", data={"summary": summary})
    return event


def read_headings(page):
    """Return the texts of the headings of a page with their counts; of the title only if it has a count."""
    headings = re.findall(r"<h([12])[^>]*>(.*?)</h[12]>", markup(page).partition("<main")[2], re.DOTALL)
    texts = [(level, " ".join(re.sub(r"<[^>]+>", " ", heading).split())) for level, heading in headings]
    return [text for level, text in texts if level == "2" or re.search(r"\d$", text)]


def act(client, event, what, **data):
    return client.post(f"/organise/events/{event.public_id}/{what}/", data)


def paste(client, event, text=GRID):
    return client.post(f"/organise/events/{event.public_id}/results/", {"text": text})


def posted(submission, **more):
    """The submission's fields as its page would send them."""
    data = {"name": submission.name, "first_day": str(submission.first_day), "last_day": str(submission.last_day)}
    for number, row in enumerate(content_from_json(submission.content).rows, 1):
        for name in ("family", "given", "country", "macmahon"):
            data[f"row-{number}-{name}"] = getattr(row, name)
        data[f"row-{number}-player"] = "new" if row.new else row.player
        for round_, cell in enumerate(row.cells, 1):
            data[f"row-{number}-round-{round_}"] = cell
    return data | more


def save(client, submission, **more):
    response = client.post(f"/organise/sheets/{submission.pk}/", posted(submission, **more) | {"check": "1"})
    submission.refresh_from_db()
    return response


def list_findings(response):
    return [(f.level, f.row, f.round, f.message) for f in response.context["checked"].findings]


def enter_confirmed_results(client, event):
    """A pasted grid whose faults were mended."""
    assert paste(client, event).status_code == 302
    submission = event.submissions.get()
    response = save(client, submission, **{"row-2-round-1": "", "row-2-round-2": "3+", "row-1-round-2": "0+",
                                      "row-3-round-2": ""})  # fmt: skip
    for finding in response.context["checked"].warnings:
        response = save(client, submission, **{f"confirm-{finding.key}": "it was so"})
    return submission, response


def accepted(client, event, officer):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    return event.tables.get()


CLEAN = GRID.replace("[1+ 0+] 1", "[1- 3+] 1").replace("[2+ 3+] 2", "[2+ 0+] 2")
