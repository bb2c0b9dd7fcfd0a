from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from ratings.admin.site.staff import StaffAdmin
from ratings.domain.runs.previewing import preview

NOT_POSTED_AGAIN = {"csrfmiddlewaretoken", "_preview"}


class PreviewAdmin(StaffAdmin):
    """Base of screens of inputs with a button that previews what saving would do to the lists."""

    change_form_template = "admin/ratings/change_form.html"

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        view = super().changeform_view
        if request.method != "POST" or "_preview" not in request.POST:
            return view(request, object_id, form_url, extra_context)
        answers: list[HttpResponse] = []
        previews = preview(lambda: answers.append(view(request, object_id, form_url, extra_context)))
        if not isinstance(answers[0], HttpResponseRedirectBase):
            return answers[0]  # the form with its errors
        list(messages.get_messages(request))  # discard the messages that it was saved
        posted = [(name, v) for name, values in request.POST.lists() if name not in NOT_POSTED_AGAIN for v in values]
        context = {**self.admin_site.each_context(request), "title": _("What would change"), "opts": self.opts}
        return TemplateResponse(
            request, "admin/ratings/preview.html", context | {"previews": previews, "posted": posted}
        )
