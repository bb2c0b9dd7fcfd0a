import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from ratings.access import OFFICERS
from ratings.domain.rerating import rerate
from ratings.domain.roles import ensure_roles
from ratings.models import RatingList
from tests.factories import make_user
from tests.hostile import make_hostile_site

DATABASE = {"db", "transactional_db", "live_server"}
# how long an example takes is the machine's affair: the first one may load a library
hypothesis_settings.register_profile("portal", deadline=None)
hypothesis_settings.load_profile("portal")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("django_db") or DATABASE & set(item.fixturenames):
            item.add_marker("asks_database")


@pytest.fixture(autouse=True)
def as_new():
    """Every test has a database of its own, in which the same keys are something else; requests choose languages."""
    cache.clear()
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture
def without_redis(settings):
    """The cache of a site whose Redis is not there: nothing listens on this port."""
    settings.CACHES = {"default": settings.REDIS_CACHE | {"LOCATION": "redis://127.0.0.1:1/0"}}


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


@pytest.fixture
def hostile(rate_all):
    """A little of everything, with names that would like to be a part of the page; gives the player."""
    return make_hostile_site(rate_all)
