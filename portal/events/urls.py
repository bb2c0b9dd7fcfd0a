from django.urls import path, re_path

from portal.site.routing import with_slug

from .views import calendar, events, explanations, feeds

urlpatterns = [
    path("lists/<slug:slug>/tables/<id:table>/<str:public_id>/", explanations.explanation, name="explanation"),
    path("events/", events.events, name="events"),
    path("events.atom", feeds.events, name="event_feed"),
    path("events/<str:public_id>/<id:table>/<str:format>.<str:extension>", events.table_file, name="table_file"),
    re_path(with_slug("events"), events.event, name="event"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar.ics", calendar.feed, name="calendar_feed"),
]
