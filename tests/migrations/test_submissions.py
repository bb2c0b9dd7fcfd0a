"""Migration 0036 keeps the permissions of users and groups on the renamed model."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType

migration = import_module("ratings.migrations.0036_submissions")

pytestmark = pytest.mark.django_db


def test_permissions_are_renamed_and_renamed_back():
    permissions = Permission.objects.filter(
        content_type=ContentType.objects.get(app_label="ratings", model="submission")
    )
    officers = Group.objects.create(name="A group of its own")
    officers.permissions.set(permissions)
    names = {f"{action}_submission" for action in ("add", "change", "delete", "view")}
    assert set(permissions.values_list("codename", flat=True)) == names
    migration.restore_permissions(apps, None)
    assert set(officers.permissions.values_list("codename", flat=True)) == {
        name.replace("submission", "sheet") for name in names
    }
    migration.rename_permissions(apps, None)
    assert set(officers.permissions.values_list("codename", flat=True)) == names
