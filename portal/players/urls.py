from django.urls import path, re_path

from portal.site.routing import with_slug
from ratings.reauthentication import require_recent_sign_in

from .views import cards, claims, clubs, countries, games, graphs, lookup, merging, players, splitting, timeline, versus

urlpatterns = [
    re_path(with_slug("players"), players.player, name="player"),
    path("players/<str:public_id>/events/", games.events, name="player_events"),
    path("players/<str:public_id>/games/", games.games, name="player_games"),
    path("players/<str:public_id>/opponents/", games.opponents, name="player_opponents"),
    path("players/<str:public_id>/grades/", games.grades, name="player_grades"),
    path("players/<str:public_id>/history.csv", graphs.history, name="player_history"),
    path("players/<str:public_id>/card.png", cards.card, name="player_card"),
    re_path(r"^players/(?P<public_id>\w+)/graph\.(?P<format>svg|png)$", graphs.graph, name="player_graph"),
    path("players/<str:public_id>/versus/", versus.choose_opponent, name="choose_rival"),
    path("players/<str:public_id>/versus/<str:rival_id>/", versus.versus, name="versus"),
    path("players/<str:public_id>/versus/<str:rival_id>/card.png", cards.versus_card, name="versus_card"),
    path("lookup/", lookup.lookup, name="lookup"),
    path("compare/", versus.compare, name="compare"),
    re_path(r"^compare/graph\.(?P<format>svg|png)$", versus.compare_graph, name="compare_graph"),
    path("players/<str:public_id>/claim/", claims.claim_page, name="claim_page"),
    path("me/", claims.me, name="me"),
    path("me/undo/<id:pk>/", timeline.undo_own_step, name="undo_own_step"),
    path("me/claims/<id:pk>/withdraw/", claims.withdraw_own_claim, name="withdraw_claim"),
    path("me/release/", claims.release_own_page, name="give_up_page"),
    path("clubs/", clubs.clubs, name="clubs"),
    re_path(with_slug("clubs"), clubs.club, name="club"),
    path("countries/", countries.countries, name="countries"),
    re_path("^countries/(?P<code>[A-Za-z]{2})/$", countries.country, name="country"),
    path("organise/claims/", claims.claims, name="claims"),
    path("organise/claims/<id:pk>/", require_recent_sign_in(claims.answer), name="answer_claim"),
    path("organise/duplicates/", merging.duplicates, name="duplicates"),
    path("organise/merge/", require_recent_sign_in(merging.merge_page), name="merge_players"),
    path("organise/players/<str:public_id>/history/", timeline.player_timeline, name="player_timeline"),
    path("organise/players/<str:public_id>/erase/", require_recent_sign_in(timeline.erase), name="erase_person"),
    path("organise/steps/<id:pk>/undo/", require_recent_sign_in(timeline.undo_recorded_step), name="undo_step"),
    path("organise/split/", require_recent_sign_in(splitting.move_results_page, button="give"), name="split_player"),
    path("organise/merges/<id:pk>/undo/", require_recent_sign_in(merging.undo_merge_page), name="undo_merge"),
]
