"""Lists on which a user works."""

import pytest
from django.contrib.auth.models import Group

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.site.roles import ensure_roles
from ratings.queries.results.workflow import approver_lists
from tests.factories import make_list, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("role", "expected"), [("", []), (OFFICERS, ["open"]), (APPROVERS, ["open", "other"])])
def test_approver_lists_follow_the_role(role, expected):
    ensure_roles()
    make_list("open")
    make_list("other").officers.add(make_user("keeper"))
    user = make_user("ada")
    if role:
        user.groups.add(Group.objects.get(name=role))
    assert [rating_list.slug for rating_list in approver_lists(user)] == expected
