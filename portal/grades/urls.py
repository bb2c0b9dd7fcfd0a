from django.urls import path, re_path

from ratings.reauthentication import require_recent_sign_in

from .views import answers, approvals, certificates, feeds, grades, proposals

urlpatterns = [
    path("lists/<slug:slug>/promotions/", grades.promotions, name="promotions"),
    path("lists/<slug:slug>/promotions.atom", feeds.promotions, name="promotion_feed"),
    path("lists/<slug:slug>/grades/", grades.grades, name="grades"),
    path("certificates/<str:code>/", certificates.certificate, name="certificate"),
    path("certificates/<str:code>.pdf", certificates.certificate_file, name="certificate_file"),
    path("organise/approvals/", approvals.approvals, name="approvals"),
    path("organise/approvals/request/", approvals.request_page, name="request_approval"),
    path("organise/approvals/<str:public_id>/", approvals.approval, name="approval"),
    path("organise/approvals/<str:public_id>/dossier.pdf", approvals.dossier_file, name="dossier"),
    path("organise/approvals/<str:public_id>/letter/", approvals.letter, name="approval_letter"),
    re_path(
        r"^organise/approvals/(?P<public_id>\w+)/"
        r"(?P<what>send|parcel|unsend|answer|confirm|reopen|withdraw|ask|unask|reply|unreply|save|unsave|restore)/$",
        require_recent_sign_in(approvals.take_action, what=("parcel", "answer", "confirm", "reopen")),
        name="approval_act",
    ),
    path("organise/approvals/<str:public_id>/steps/<id:pk>/letter/", approvals.step_letter, name="step_letter"),
    re_path(
        r"^organise/approvals/(?P<public_id>\w+)/letters/(?P<pk>[0-9]{1,18})/(?P<name>dossier|certificate)\.pdf$",
        approvals.parcel_file,
        name="parcel_file",
    ),
    path(
        "organise/approvals/<str:public_id>/links/<id:pk>/revoke/",
        require_recent_sign_in(approvals.revoke),
        name="revoke_answer_link",
    ),
    path("answer/<str:token>/", answers.answer_link, name="answer_link"),
    path("organise/proposals/", proposals.proposals, name="proposals"),
    re_path(
        r"^organise/proposals/(?P<pk>[0-9]{1,18})/(?P<what>confirm|withdraw)/$",
        require_recent_sign_in(proposals.close),
        name="close_proposal",
    ),
    path("organise/grades/", require_recent_sign_in(approvals.announcements), name="announcements"),
]
