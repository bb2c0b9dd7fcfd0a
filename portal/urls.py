import datetime as dt

from django.contrib import admin
from django.urls import path, re_path, register_converter
from django.urls.converters import IntConverter

from portal.views import clubs, events, front, health, lists, players


class IdConverter(IntConverter):
    regex = "[0-9]{1,18}"  # no longer than a database's integer


class DayConverter:
    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> dt.date:
        return dt.date.fromisoformat(value)

    def to_url(self, value: dt.date | str) -> str:
        return str(value)


register_converter(IdConverter, "id")
register_converter(DayConverter, "day")


def with_slug(kind: str) -> str:
    """An address by public id; the readable part behind it may be missing or old, and then redirects."""
    return rf"^{kind}/(?P<public_id>[A-Za-z0-9]+)(?:-(?P<slug>[-\w]*))?/$"


urlpatterns = [
    path("", front.front, name="front"),
    path("lists/<slug:slug>/", lists.rating_list, name="list"),
    path("lists/<slug:slug>/promotions/", lists.list_promotions, name="promotions"),
    path("lists/<slug:slug>/dated/", lists.dated_lists, name="dated_lists"),
    path("lists/<slug:slug>/dated/<day:day>/", lists.dated_list, name="dated_list"),
    path("lists/<slug:slug>/history.json", lists.history, name="history"),
    path("lists/<slug:slug>/digest.txt", lists.digest, name="digest"),
    path("lists/<slug:slug>/corrections/", lists.corrections, name="corrections"),
    path("lists/<slug:slug>/rules/", lists.rules, name="rules"),
    path("lists/<slug:slug>/comparison/", lists.comparison, name="comparison"),
    path("lists/<slug:slug>/tables/<id:table>/<str:public_id>/", events.explanation, name="explanation"),
    path("events/", events.events, name="events"),
    path("events/<str:public_id>/<id:table>/<str:form>.txt", events.table_file, name="table_file"),
    re_path(with_slug("events"), events.event, name="event"),
    re_path(with_slug("players"), players.player, name="player"),
    path("clubs/", clubs.clubs, name="clubs"),
    re_path(with_slug("clubs"), clubs.club, name="club"),
    path("health/", health.health, name="health"),
    path("admin/", admin.site.urls),
]
