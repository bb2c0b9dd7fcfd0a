from django.urls import path, re_path

from portal.lists.views import (
    calculator,
    calculators,
    cards,
    dated,
    federations,
    list_files,
    list_import,
    lists,
    rules,
    statistics,
)
from ratings.reauthentication import require_recent_sign_in

urlpatterns = [
    path("federations/<slug:slug>/", federations.federation, name="federation"),
    path("card.png", cards.portal_card, name="portal_card"),
    path("federations/<slug:slug>/card.png", cards.federation_card, name="federation_card"),
    re_path(r"^federations/(?P<slug>[-\w]+)/crest\.(?P<format>svg|png)$", federations.crest, name="crest"),
    path(
        "organise/federations/<slug:slug>/",
        require_recent_sign_in(federations.edit_federation, button="save"),
        name="edit_federation",
    ),
    path("lists/<slug:slug>/", lists.rating_list, name="list"),
    path("lists/<slug:slug>/card.png", cards.list_card, name="list_card"),
    path("lists/<slug:slug>/list.<slug:format>", list_files.list_file, name="list_file"),
    path("lists/<slug:slug>/dated/", dated.dated_lists, name="dated_lists"),
    path("lists/<slug:slug>/dated/<day:day>/", dated.dated_list, name="dated_list"),
    path("lists/<slug:slug>/dated/<day:day>/card.png", cards.dated_card, name="dated_card"),
    path("lists/<slug:slug>/dated/<day:day>/list.<slug:format>", list_files.dated_file, name="dated_file"),
    path("lists/<slug:slug>/latest/", list_files.latest, name="latest"),
    path("lists/<slug:slug>/latest/list.<slug:format>", list_files.latest, name="latest_file"),
    path("lists/<slug:slug>/moves/", dated.moves, name="moves"),
    path("lists/<slug:slug>/history.json", lists.history, name="history"),
    path("lists/<slug:slug>/digest.txt", lists.digest, name="digest"),
    path("lists/<slug:slug>/calculator/", calculators.list_calculator, name="list_calculator"),
    path("lists/<slug:slug>/calculator/tournament/", calculators.tournament, name="tournament"),
    path("lists/<slug:slug>/rules/", lists.rules, name="rules"),
    path("lists/<slug:slug>/statistics/", statistics.statistics, name="statistics"),
    path("lists/<slug:slug>/statistics/<slug:chart>.svg", statistics.statistics_chart, name="statistics_chart"),
    path("lists/<slug:slug>/comparison/", lists.comparison, name="comparison"),
    path("players/<str:public_id>/calculator/", calculator.calculator, name="calculator"),
    path("rules/", rules.all_rules, name="all_rules"),
    path(
        "organise/lists/<slug:slug>/import/",
        require_recent_sign_in(list_import.import_list, button="store"),
        name="import_list",
    ),
]
