import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS
from ratings.domain.rerating import rerate
from ratings.domain.roles import ensure_roles
from ratings.models import RatingList
from tests.factories import make_user


@pytest.fixture
def rate_all(db):
    """Do the work that is pending on every list, as the worker would, but let errors through."""

    def run():
        for list_id in RatingList.objects.values_list("pk", flat=True):
            rerate(list_id)

    return run


@pytest.fixture
def staff(client):
    """A rating officer who is logged in, in the admin too."""
    ensure_roles()  # emptied with the tables of transactional tests
    user = make_user("staff", is_staff=True)
    user.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(user)
    return user
