"""Users of the admin screens."""

from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from tests.factories import make_user

VISITOR, ORGANISER, OFFICER, SUPERUSER = "visitor", "organiser", "officer", "superuser"


def log_in(client, who):
    """As a visitor nobody logs in."""
    if who == VISITOR:
        return None
    user = make_user(who, is_staff=True, is_superuser=who == SUPERUSER)
    if who != SUPERUSER:
        user.groups.add(Group.objects.get(name={ORGANISER: ORGANISERS, OFFICER: OFFICERS}[who]))
    client.force_login(user)
    return user
