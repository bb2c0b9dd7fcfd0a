"""Views and templates stand with their topic (docs/architecture.md)."""

from importlib import import_module
from pathlib import Path

import pytest
from django.urls import get_resolver

TOPICS = ("players", "lists", "events", "results", "grades", "runs", "site")
ELSEWHERE = {"accounts/", "api/v1/", "admin/"}
"""Addresses of django-allauth, of the API and of the admin."""


def view_module(pattern):
    """Return the module that defines a view, also of a decorated one and of a class."""
    view = pattern.callback
    while hasattr(view, "__wrapped__"):
        view = view.__wrapped__
    return (view if hasattr(view, "__name__") else type(view)).__module__


@pytest.mark.parametrize("topic", TOPICS)
def test_topic_names_its_own_views_only(topic):
    patterns = import_module(f"portal.{topic}.urls").urlpatterns
    modules = {view_module(pattern) for pattern in patterns}
    assert modules
    assert [module for module in modules if not module.startswith(f"portal.{topic}.views.")] == []


def test_every_address_belongs_to_a_topic():
    named = [pattern for topic in TOPICS for pattern in import_module(f"portal.{topic}.urls").urlpatterns]
    others = [pattern for pattern in get_resolver().url_patterns if pattern not in named]
    assert {str(pattern.pattern) for pattern in others} == ELSEWHERE


@pytest.mark.parametrize(
    ("layer", "others"),
    [
        ("portal", {"api", "charts", "date_formats", "locale", "management", "middleware", "pdf", "templatetags"}),
        ("ratings/admin", set()),
        ("ratings/domain", set()),
        ("ratings/models", set()),
        ("ratings/queries", set()),
        ("templates", {"account", "admin", "allauth", "mfa", "usersessions"}),
    ],
)
def test_folders_of_a_layer_are_topics(layer, others):
    folders = {path.name for path in Path(layer).iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert folders - others - set(TOPICS) == set()


def test_root_of_the_portal_holds_the_project_only():
    modules = {path.stem for path in Path("portal").glob("*.py")}
    assert modules == {"__init__", "apps", "celery", "settings", "urls", "wsgi"}
