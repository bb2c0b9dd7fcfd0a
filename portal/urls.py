import datetime as dt

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path, re_path, register_converter
from django.urls.converters import IntConverter

from portal.api.site import api
from portal.views import (
    api as api_page,
)
from portal.views import (
    approvals,
    calculator,
    calendar,
    certificates,
    claims,
    clubs,
    countries,
    dated,
    events,
    feeds,
    front,
    games,
    grades,
    graphs,
    health,
    keys,
    list_files,
    lists,
    merging,
    openings,
    organise,
    people,
    players,
    preferences,
    reports,
    robots,
    rules,
    search,
    sheets,
    splitting,
    statistics,
    tournament,
    versus,
)


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


# one log-in for all, with the second factor and the limits on guessing
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # the way allauth documents

urlpatterns = [
    path("", front.front, name="front"),
    path("search/", search.search_page, name="search"),
    path("search/suggest/", search.suggest, name="suggest"),
    path("lists/<slug:slug>/", lists.rating_list, name="list"),
    path("lists/<slug:slug>/promotions/", grades.promotions, name="promotions"),
    path("lists/<slug:slug>/promotions.atom", feeds.promotions, name="promotion_feed"),
    path("lists/<slug:slug>/grades/", grades.grades, name="grades"),
    path("lists/<slug:slug>/list.<slug:form>", list_files.list_file, name="list_file"),
    path("lists/<slug:slug>/dated/", dated.dated_lists, name="dated_lists"),
    path("lists/<slug:slug>/dated/<day:day>/", dated.dated_list, name="dated_list"),
    path("lists/<slug:slug>/dated/<day:day>/list.<slug:form>", list_files.dated_file, name="dated_file"),
    path("lists/<slug:slug>/latest/", list_files.latest, name="latest"),
    path("lists/<slug:slug>/latest/list.<slug:form>", list_files.latest, name="latest_file"),
    path("lists/<slug:slug>/moves/", dated.moves, name="moves"),
    path("lists/<slug:slug>/history.json", lists.history, name="history"),
    path("lists/<slug:slug>/digest.txt", lists.digest, name="digest"),
    path("lists/<slug:slug>/corrections/", lists.corrections, name="corrections"),
    path("lists/<slug:slug>/calculator/", tournament.anybody, name="list_calculator"),
    path("lists/<slug:slug>/calculator/tournament/", tournament.tournament, name="tournament"),
    path("lists/<slug:slug>/corrections.atom", feeds.corrections, name="correction_feed"),
    path("lists/<slug:slug>/corrections/<id:pk>/", lists.correction, name="correction"),
    path("lists/<slug:slug>/rules/", lists.rules, name="rules"),
    path("lists/<slug:slug>/statistics/", statistics.statistics, name="statistics"),
    path("lists/<slug:slug>/statistics/<slug:chart>.svg", statistics.statistics_chart, name="statistics_chart"),
    path("lists/<slug:slug>/comparison/", lists.comparison, name="comparison"),
    path("lists/<slug:slug>/tables/<id:table>/<str:public_id>/", events.explanation, name="explanation"),
    path("events/", events.events, name="events"),
    path("events.atom", feeds.events, name="event_feed"),
    path("events/<str:public_id>/<id:table>/<str:form>.<str:extension>", events.table_file, name="table_file"),
    re_path(with_slug("events"), events.event, name="event"),
    re_path(with_slug("players"), players.player, name="player"),
    path("players/<str:public_id>/calculator/", calculator.calculator, name="calculator"),
    path("players/<str:public_id>/events/", games.events, name="player_events"),
    path("players/<str:public_id>/games/", games.games, name="player_games"),
    path("players/<str:public_id>/opponents/", games.opponents, name="player_opponents"),
    path("players/<str:public_id>/history.csv", graphs.history, name="player_history"),
    path("players/<str:public_id>/card.png", graphs.card, name="player_card"),
    re_path(r"^players/(?P<public_id>\w+)/graph\.(?P<form>svg|png)$", graphs.graph, name="player_graph"),
    path("players/<str:public_id>/versus/", versus.choose, name="choose_rival"),
    path("players/<str:public_id>/versus/<str:rival_id>/", versus.versus, name="versus"),
    path("compare/", versus.compare, name="compare"),
    re_path(r"^compare/graph\.(?P<form>svg|png)$", versus.compare_graph, name="compare_graph"),
    path("players/<str:public_id>/claim/", claims.claim_page, name="claim_page"),
    path("certificates/<str:code>/", certificates.certificate, name="certificate"),
    path("certificates/<str:code>.pdf", certificates.certificate_file, name="certificate_file"),
    path("me/", claims.me, name="me"),
    path("me/release/", claims.give_up, name="give_up_page"),
    path("clubs/", clubs.clubs, name="clubs"),
    re_path(with_slug("clubs"), clubs.club, name="club"),
    path("countries/", countries.countries, name="countries"),
    re_path("^countries/(?P<code>[A-Za-z]{2})/$", countries.country, name="country"),
    path("rules/", rules.all_rules, name="all_rules"),
    path("organise/", organise.my_events, name="organise"),
    path("organise/queue/", organise.queue, name="queue"),
    path("organise/players/", sheets.known_players, name="known_players"),
    path("organise/approvals/", approvals.approvals, name="approvals"),
    path("organise/approvals/<str:public_id>/", approvals.approval, name="approval"),
    path("organise/approvals/<str:public_id>/dossier.pdf", approvals.dossier_file, name="dossier"),
    path("organise/approvals/<str:public_id>/letter/", approvals.letter, name="approval_letter"),
    re_path(
        r"^organise/approvals/(?P<public_id>\w+)/(?P<what>send|answer|confirm|reopen)/$",
        approvals.act,
        name="approval_act",
    ),
    path("organise/grades/", approvals.announcements, name="announcements"),
    path("organise/claims/", claims.claims, name="claims"),
    path("organise/claims/<id:pk>/", claims.answer, name="answer_claim"),
    path("organise/duplicates/", merging.duplicates, name="duplicates"),
    path("organise/merge/", merging.merge_players, name="merge_players"),
    path("organise/lists/<slug:slug>/import/", openings.import_list, name="import_list"),
    path("organise/split/", splitting.split, name="split_player"),
    path("organise/merges/<id:pk>/undo/", merging.undo_merge, name="undo_merge"),
    path("organise/keys/", keys.keys, name="keys"),
    path("organise/keys/<id:pk>/revoke/", keys.revoke, name="revoke_key"),
    path("organise/people/", people.workers, name="workers"),
    path("organise/people/<id:pk>/dismiss/", people.dismiss_worker, name="dismiss_worker"),
    path("organise/template.<str:form>", sheets.template_file, name="template_file"),
    path("organise/events/new/", organise.new_event, name="new_event"),
    path("organise/events/<str:public_id>/", organise.event, name="organise_event"),
    path("organise/events/<str:public_id>/edit/", organise.edit_event, name="edit_event"),
    path("organise/events/<str:public_id>/results/", organise.give_results, name="give_results"),
    path("organise/events/<str:public_id>/preview/", organise.preview, name="preview_event"),
    path("organise/events/<str:public_id>/share/", organise.share, name="share_event"),
    re_path(
        r"^organise/events/(?P<public_id>\w+)/(?P<what>announce|submit|return|accept)/$", organise.act, name="event_act"
    ),
    path("organise/tables/<id:table>/correct/", organise.correct, name="correct_table"),
    path("organise/sheets/<id:pk>/", sheets.sheet, name="sheet"),
    path("organise/sheets/<id:pk>/drop/", sheets.drop, name="drop_sheet"),
    path("organise/uploads/<id:pk>/", sheets.original, name="upload"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar.ics", calendar.feed, name="calendar_feed"),
    path("accounts/", include("allauth.urls")),
    re_path(r"^report/(?P<kind>events|players)/(?P<public_id>\w+)/$", reports.new_report, name="new_report"),
    path("reports/<str:public_id>/", reports.report, name="report"),
    path("privacy/", front.privacy, name="privacy"),
    path("theme/", preferences.theme, name="theme"),
    path("robots.txt", robots.robots, name="robots"),
    path("sitemap.xml", robots.sitemap_index, name="sitemap_index"),
    path("sitemap-<slug:section>.xml", robots.sitemap, name="sitemap"),
    path("api/", api_page.page, name="api"),
    path("api/v1/", api.urls),
    path("language/", preferences.language, name="language"),
    path("health/", health.health, name="health"),
    path("admin/", admin.site.urls),
]
