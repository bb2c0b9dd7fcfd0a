from django.urls import path, re_path

from ratings.reauthentication import require_recent_sign_in

from .views import batch_people, batches, checks, desk, hall, hall_desk, organise, people, steps, submissions, templates

urlpatterns = [
    path("rules/checks/", checks.checks, name="checks"),
    path("organise/", organise.my_events, name="organise"),
    path("desk/", desk.start, name="start"),
    path("organise/desk/", desk.desk, name="desk"),
    path(
        "organise/desk/accept/", require_recent_sign_in(desk.accept_several, button="confirmed"), name="accept_several"
    ),
    path("organise/events/", desk.all_events, name="all_events"),
    path("organise/queue/", organise.queue, name="queue"),
    path("organise/files/", batches.files, name="files"),
    path("organise/files/<id:pk>/", batches.batch, name="batch"),
    path("organise/files/<id:pk>/people/", batch_people.batch_people, name="batch_people"),
    path("organise/players/", submissions.known_players, name="known_players"),
    path("organise/template.<str:format>", templates.template_file, name="template_file"),
    path("organise/events/new/", organise.new_event, name="new_event"),
    path("organise/events/<str:public_id>/", organise.event, name="organise_event"),
    path("organise/events/<str:public_id>/edit/", organise.edit_event, name="edit_event"),
    path("organise/events/<str:public_id>/template.<str:format>", templates.event_template, name="event_template"),
    path("organise/events/<str:public_id>/results/", organise.upload_results, name="upload_results"),
    path("organise/events/<str:public_id>/preview/", organise.preview, name="preview_event"),
    path("organise/events/<str:public_id>/remind/", desk.remind, name="remind_organisers"),
    path("organise/events/<str:public_id>/share/", organise.share, name="share_event"),
    re_path(
        r"^organise/events/(?P<public_id>\w+)/(?P<what>announce|unannounce|submit|withdraw|return|accept)/$",
        require_recent_sign_in(organise.act, what=("accept",)),
        name="event_act",
    ),
    path("organise/tables/<id:table>/correct/", organise.correct, name="correct_table"),
    path("organise/sheets/<id:pk>/", submissions.submission, name="submission"),
    path("organise/sheets/<id:pk>/people/", people.people, name="people"),
    path("organise/sheets/<id:pk>/delete/", steps.remove_submission, name="delete_submission"),
    path("organise/sheets/<id:pk>/restore/", steps.bring_submission_back, name="restore_submission"),
    path("organise/tables/<id:table>/delete/", require_recent_sign_in(steps.remove_table), name="delete_table"),
    path("organise/tables/<id:table>/restore/", require_recent_sign_in(steps.bring_table_back), name="restore_table"),
    path("organise/events/<str:public_id>/history/", steps.history, name="event_history"),
    path("organise/events/<str:public_id>/history/<id:step>/undo/", steps.undo, name="undo_event_step"),
    path("organise/events/<str:public_id>/delete/", steps.remove_event, name="delete_event"),
    path("organise/events/<str:public_id>/restore/", steps.bring_event_back, name="restore_event"),
    path("organise/events/<str:public_id>/void/", require_recent_sign_in(steps.void), name="void_event"),
    path("organise/events/<str:public_id>/hall/", hall_desk.hall_players, name="hall_players"),
    path("organise/events/<str:public_id>/hall/pairings/<int:round>/", hall_desk.hall_pairings, name="hall_pairings"),
    path("organise/events/<str:public_id>/hall/links/", hall_desk.hall_links, name="hall_links"),
    path("organise/events/<str:public_id>/hall/links/<str:key>/", hall_desk.hall_link, name="hall_link"),
    path("organise/events/<str:public_id>/hall/submit/", hall_desk.hall_submit, name="hall_submit"),
    path("hall/sw.js", hall.hall_worker, name="hall_worker"),
    path("hall/join/<str:token>/", hall.hall_join, name="hall_join"),
    path("hall/<str:public_id>/", hall.hall, name="hall"),
    path("hall/<str:public_id>/results/", hall.hall_tap, name="hall_tap"),
    path("organise/uploads/<id:pk>/", submissions.original, name="upload"),
]
