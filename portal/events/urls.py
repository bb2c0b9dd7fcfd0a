from django.urls import path, re_path

from portal.events.event_tabs import Tab
from portal.site.routing import with_slug

from .views import calendar, cards, entering, events, explanations, feeds, manage_entries, pairing_programs, rosters

urlpatterns = [
    path("lists/<slug:slug>/tables/<id:table>/<str:public_id>/", explanations.explanation, name="explanation"),
    path(
        "lists/<slug:slug>/tables/<id:table>/<str:public_id>/card.png", cards.explanation_card, name="explanation_card"
    ),
    path("lists/<slug:slug>/closings/<day:day>/<str:public_id>/", explanations.closing, name="closing_explanation"),
    path("lists/<slug:slug>/closings/<day:day>/<str:public_id>/card.png", cards.closing_card, name="closing_card"),
    path("events/", events.events, name="events"),
    path("events.atom", feeds.events, name="event_feed"),
    path("events/<str:public_id>/<id:table>/<str:format>.<str:extension>", events.table_file, name="table_file"),
    path("events/<str:public_id>/feed.atom", feeds.event, name="steps_feed"),
    path("events/<str:public_id>/card.png", cards.event_card, name="event_card"),
    path("events/<str:public_id>/crosstable/", events.event_tab, {"tab": Tab.CROSSTABLE}, name="event_crosstable"),
    path("events/<str:public_id>/rounds/", events.event_tab, {"tab": Tab.ROUNDS}, name="event_rounds"),
    path("events/<str:public_id>/grades/", events.event_tab, {"tab": Tab.GRADES}, name="event_grades"),
    path("events/<str:public_id>/entries/", events.event_entries, name="event_entries"),
    path("events/<str:public_id>/entries/<str:key>/", entering.own_entry, name="own_entry"),
    path("events/<str:public_id>/pairings/", pairing_programs.pairings, name="event_pairings"),
    path("events/<str:public_id>/roster.<slug:format>", rosters.roster_file, name="roster_file"),
    path("events/<str:public_id>/enter/", entering.enter_event, name="enter_event"),
    path(
        "organise/events/<str:public_id>/pairing-program/",
        pairing_programs.pairing_program,
        name="pairing_program",
    ),
    path("organise/events/<str:public_id>/roster.<slug:format>", rosters.managed_roster, name="managed_roster"),
    path("organise/events/<str:public_id>/entries/", manage_entries.manage_entries, name="manage_entries"),
    path("organise/events/<str:public_id>/entries/add/", manage_entries.add, name="add_entry"),
    path("organise/events/<str:public_id>/entries/confirm/", manage_entries.confirm_all, name="confirm_entries"),
    path("organise/events/<str:public_id>/entries/<id:pk>/", manage_entries.change, name="change_entry"),
    re_path(with_slug("events"), events.event, name="event"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar.ics", calendar.feed, name="calendar_feed"),
]
