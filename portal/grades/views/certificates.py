from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.pdf.certificate import Certificate as Printed
from portal.pdf.certificate import write
from ratings.queries.certificates import Certificate, find_certificate

EARNED = {
    "upper bound": gettext_lazy("by a rating at the upper bound of the grade"),
    "games above MP": gettext_lazy("by games above the midpoint of the grade"),
    "games above LB": gettext_lazy("by games above the lower bound of the grade"),
    "provisional": gettext_lazy("by a provisional rating at the upper bound of the next grade"),
    "bound to get it": gettext_lazy("by a rating from which no further losses could prevent it"),
    "above the band": gettext_lazy("by a rating above the band of the grade before"),
    "printed": gettext_lazy("by record of the federation"),
    "given": gettext_lazy("by decision of the federation"),
    "kept": gettext_lazy("by announcement of the federation"),
    "approved": gettext_lazy("by approval of the federation"),
}
"""How a grade was earned, by the word of its award."""


def certificate(request: HttpRequest, code: str, status: int = 200) -> HttpResponse:
    """Whether a printed certificate holds today."""
    found = find_certificate(code)
    context = {"certificate": found, "earned": earned(found)} if found else {}
    return render(request, "portal/certificate.html", context, status=status if found else 404)


def certificate_file(request: HttpRequest, code: str) -> HttpResponse:
    found = find_certificate(code)
    if found is None or not found.confirmed:
        return certificate(request, code, status=404)
    headers = {"Content-Disposition": f'inline; filename="{code}.pdf"'}
    return HttpResponse(write(printed(found)), content_type="application/pdf", headers=headers)


def printed(found: Certificate) -> Printed:
    return Printed(
        name=found.name,
        native=found.player.public_native,
        grade=found.grade,
        list=found.list.name,
        federation=found.list.federation,
        day=found.day,
        earned=earned(found),
        event=found.event.name if found.event else "",
        address=settings.SITE_ADDRESS + reverse("certificate", args=[found.code]),
    )


def earned(found: Certificate) -> str:
    return str(EARNED[found.how]) if found.how in EARNED else _("by %(how)s") % {"how": _(found.how)}
