from django.urls import path

from .views import cards, corrections, feeds, logs, proofs

urlpatterns = [
    path("lists/<slug:slug>/corrections/", corrections.corrections, name="corrections"),
    path("lists/<slug:slug>/corrections.atom", feeds.corrections, name="correction_feed"),
    path("lists/<slug:slug>/corrections/<id:pk>/", corrections.correction, name="correction"),
    path(
        "lists/<slug:slug>/corrections/<id:pk>/<str:public_id>/",
        corrections.player_correction,
        name="player_correction",
    ),
    path(
        "lists/<slug:slug>/corrections/<id:pk>/<str:public_id>/card.png", cards.correction_card, name="correction_card"
    ),
    path("lists/<slug:slug>/log/", logs.log_page, name="list_log"),
    path("lists/<slug:slug>/log/log.txt", logs.log_text, name="log_text"),
    path("lists/<slug:slug>/log/keys.txt", logs.log_keys, name="log_keys"),
    path("lists/<slug:slug>/log/export.zip", logs.log_export, name="log_export"),
    path("lists/<slug:slug>/log/leaves/<slug:tree>.txt", logs.log_leaves, name="log_leaves"),
    path("lists/<slug:slug>/dated/<day:day>/checkpoint.txt", logs.dated_checkpoint, name="dated_checkpoint"),
    path("witnessed.txt", logs.witnessed_logs, name="witnessed_logs"),
    path("players/<str:public_id>/proof/", proofs.player_proof, name="player_proof"),
    path("players/<str:public_id>/proof/<slug:slug>/<day:day>.txt", proofs.player_proof_file, name="player_proof_file"),
]
