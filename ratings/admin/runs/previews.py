from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from ratings.domain.previewing import preview

from .staff import StaffAdmin

NOT_POSTED_AGAIN = {"csrfmiddlewaretoken", "_preview"}


class Previews(StaffAdmin):
    """Screens of inputs: a button shows what saving would do to the lists, and saves nothing."""

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
            return answers[0]  # the form again, with what is wrong
        list(messages.get_messages(request))  # they tell that it was saved
        posted = [(name, v) for name, several in request.POST.lists() if name not in NOT_POSTED_AGAIN for v in several]
        context = {**self.admin_site.each_context(request), "title": _("What would change"), "opts": self.opts}
        return TemplateResponse(
            request, "admin/ratings/preview.html", context | {"previews": previews, "posted": posted}
        )
