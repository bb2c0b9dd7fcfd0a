from django.urls import path, re_path

from portal.site.routing import BELOW_SLUG
from portal.site.views import (
    api,
    following,
    front,
    health,
    held_forms,
    keys,
    old_addresses,
    people,
    preferences,
    privacy,
    reports,
    robots,
    search,
    security,
    setup,
    webhooks,
)
from portal.site.views import help as help_views
from ratings.reauthentication import require_recent_sign_in

urlpatterns = [
    re_path(BELOW_SLUG, old_addresses.without_slug, name="without_slug"),
    path("", front.front, name="front"),
    path("search/", search.search_page, name="search"),
    path("search/suggest/", search.suggest, name="suggest"),
    path("organise/keys/", require_recent_sign_in(keys.keys), name="keys"),
    path("organise/keys/all/", keys.all_keys, name="all_keys"),
    path("organise/keys/<id:pk>/revoke/", keys.revoke, name="revoke_key"),
    path(
        "organise/federations/<slug:slug>/webhooks/",
        require_recent_sign_in(webhooks.webhooks),
        name="webhooks",
    ),
    path(
        "organise/federations/<slug:slug>/webhooks/<id:pk>/",
        require_recent_sign_in(webhooks.webhook),
        name="webhook",
    ),
    re_path(
        r"^organise/federations/(?P<slug>[-\w]+)/webhooks/(?P<pk>\d{1,18})/"
        r"(?P<act>pause|resume|test|rotate|end_overlap|replay|delete|restore)/$",
        require_recent_sign_in(webhooks.webhook_act, act=("rotate", "end_overlap", "delete", "restore")),
        name="webhook_act",
    ),
    path("organise/setup/", require_recent_sign_in(setup.setup), name="setup"),
    path("organise/setup/answers.toml", setup.answers, name="setup_answers"),
    path("organise/health/", health.site_health, name="site_health"),
    path("organise/people/", require_recent_sign_in(people.workers), name="workers"),
    path("organise/people/<id:pk>/dismiss/", require_recent_sign_in(people.dismiss_worker), name="dismiss_worker"),
    path("accounts/continue/<slug:key>/", held_forms.continue_form, name="continue_form"),
    re_path(r"^report/(?P<kind>events|players)/(?P<public_id>\w+)/$", reports.new_report, name="new_report"),
    path("reports/<str:public_id>/", reports.report, name="report"),
    path("help/", help_views.help_front, name="help"),
    re_path(r"^help/(?P<role>organiser|officer|approver|administrator)/$", help_views.help_role, name="help_role"),
    path("me/following/", following.following, name="following"),
    re_path(r"^me/follow/(?P<kind>player|club|event|list)/(?P<key>[-\w]+)/$", following.follow, name="follow"),
    path("unsubscribe/<str:token>/", following.unsubscribe_page, name="unsubscribe"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("organise/processing/", privacy.processing_record, name="processing_record"),
    path("theme/", preferences.theme, name="theme"),
    path(".well-known/security.txt", security.security_txt, name="security_txt"),
    path("robots.txt", robots.robots, name="robots"),
    path("favicon.ico", robots.favicon, name="favicon"),
    path("sitemap.xml", robots.sitemap_index, name="sitemap_index"),
    path("sitemap-<slug:section>.xml", robots.sitemap, name="sitemap"),
    path("api/", api.page, name="api"),
    path("language/", preferences.language, name="language"),
    path("health/", health.health, name="health"),
    path("metrics", health.metrics, name="metrics"),
]
