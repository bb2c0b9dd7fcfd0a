"""Lists, events and users for people who work on a site at the same time (see people.py and editors.py)."""

from contextlib import contextmanager

from django.contrib.auth.models import Group
from django.utils import timezone

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.runs.rerating import sweep
from ratings.domain.site.roles import ensure_roles
from ratings.models import Notification, OutgoingMail
from tests.factories import make_event, make_list, make_player, make_table, make_user

from .editors import Officer, Organiser
from .environment import eventually, up_to_date
from .people import Scene, Visitor
from .site import cookies_of

FAMILIES = ("Adler", "Bauer", "Capek", "Dumas", "Evans", "Fodor", "Gallo", "Huber", "Ibsen", "Jonas", "Kovac", "Lopez",
            "Moser", "Novak", "Olsen", "Perez")  # fmt: skip
PUBLIC = ("/", "/events/", "/lists/fesa/", "/lists/go/", "/robots.txt")
ROLES = {"olga": ORGANISERS, "oskar": ORGANISERS, "fay": OFFICERS, "fritz": OFFICERS, "mona": OFFICERS}
MERGING = {"fay": 0.05, "fritz": 0.05, "mona": 0.5}
"""Share of the work of each officer that is merging players."""


def make_staff():
    """Return two organisers and three officers by name."""
    ensure_roles()
    users = {name: make_user(name, email=f"{name}@example.org") for name in ROLES}
    for name, user in users.items():
        user.groups.add(Group.objects.get(name=ROLES[name]))
    return users


def make_scene(users):
    """Return two lists, with events that are accepted already and drafts of two organisers."""
    lists = [make_list("fesa"), make_list("go", system="rif-1995")]
    scene = Scene({}, [], [])
    for number in range(4):
        families = FAMILIES[4 * number : 4 * number + 4]
        names = [*((family, "Anna") for family in families), (families[0], "Ann-Marie")]
        players = [make_player(*name) for name in names]
        ids = [players[0].public_id, players[-1].public_id]
        rated_on = lists[number % 2]
        make_table(rated_on, players[:4], [(1, 1, 2, 1.0), (1, 3, 4, 0.5)], "2023-01-07", event_name=f"First {number}")
        make_table(rated_on, players[1:], [(1, 1, 4, 1.0), (1, 2, 3, 0.5)], "2023-02-07", event_name=f"Second {number}")
        for month in (1, 3, 5):
            name, day = f"Cup {number}-{month}", f"2024-{month:02}-{number + 1:02}"
            event = make_event(name, day, [rated_on], state="draft", created_by=users["olga"], time_control="30min")
            event.organisers.add(users["oskar"])
            scene.events[event.public_id] = (names, day)
        scene.groups.append(names)
        scene.duplicates.extend([ids, ids[::-1]])
    sweep()
    return scene


@contextmanager
def people_at_work(site, journal, users, seed, scene, visitors=1):
    """Have people work on a site until the block ends, whatever comes of it; the value is the list of them."""
    given = {name: (name, site, cookies_of(user), journal, seed) for name, user in users.items()}
    people = [Organiser(*given[name], scene=scene) for name in ("olga", "oskar")]
    people += [Officer(*given[name], scene=scene, merging=part) for name, part in MERGING.items()]
    names = ["visitor", *(f"visitor-{number}" for number in range(2, visitors + 1))]
    people += [Visitor(name, site, {}, journal, seed, paths=PUBLIC) for name in names]
    for person in people:
        person.start()
    try:
        yield people
    finally:
        journal.ended.set()
        for person in people:
            person.join()


def settle(site):
    """Wait until all work is done. Mails that failed are tried again minutes later: that time is skipped."""
    eventually(site.is_well, 120)
    eventually(up_to_date, 120)
    later = timezone.now()
    for model in (Notification, OutgoingMail):
        model.objects.filter(given_up_at=None).update(next_try_at=later)
    eventually(lambda: waiting() == [], 120, waiting)
    eventually(lambda: site.broker.waiting() == site.broker.client.llen("celery") == 0, 60)


def waiting():
    fields = ("pk", "attempts", "next_try_at", "error")
    return [*Notification.objects.values_list(*fields), *OutgoingMail.objects.values_list(*fields)]
