from django.urls import path

from .views import corrections, feeds

urlpatterns = [
    path("lists/<slug:slug>/corrections/", corrections.corrections, name="corrections"),
    path("lists/<slug:slug>/corrections.atom", feeds.corrections, name="correction_feed"),
    path("lists/<slug:slug>/corrections/<id:pk>/", corrections.correction, name="correction"),
    path(
        "lists/<slug:slug>/corrections/<id:pk>/<str:public_id>/",
        corrections.player_correction,
        name="player_correction",
    ),
]
