from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from portal.api.site import api
from portal.events import urls as events
from portal.grades import urls as grades
from portal.lists import urls as lists
from portal.players import urls as players
from portal.results import urls as results
from portal.runs import urls as runs
from portal.site import urls as site

# the admin uses the log-in of the site, with the second factor and the limits on failed attempts
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # as documented by allauth

handler403 = "portal.site.views.errors.forbidden"
handler404 = "portal.site.views.errors.not_found"
handler500 = "portal.site.views.errors.server_error"
urlpatterns = [
    *site.urlpatterns,  # first: its redirects of old addresses come before the pages of players and events
    *players.urlpatterns,
    *lists.urlpatterns,
    *events.urlpatterns,
    *results.urlpatterns,
    *grades.urlpatterns,
    *runs.urlpatterns,
    path("accounts/", include("allauth.urls")),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
]
