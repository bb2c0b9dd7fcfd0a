from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.pdf.certificate import Certificate as Printed
from portal.pdf.certificate import write_certificate
from ratings.localize import award_label
from ratings.queries.grades.certificates import Certificate, find_certificate
from ratings.systems.values import AwardHow

EARNED = {
    AwardHow.UPPER_BOUND: gettext_lazy("by a rating at the upper bound of the grade"),
    AwardHow.GAMES_ABOVE_MP: gettext_lazy("by games above the midpoint of the grade"),
    AwardHow.GAMES_ABOVE_LB: gettext_lazy("by games above the lower bound of the grade"),
    AwardHow.PROVISIONAL: gettext_lazy("by a provisional rating at the upper bound of the next grade"),
    AwardHow.BOUND_TO_GET_IT: gettext_lazy("by a rating from which no further losses could prevent it"),
    AwardHow.ABOVE_BAND: gettext_lazy("by a rating above the band of the grade before"),
    AwardHow.PRINTED: gettext_lazy("by record of the federation"),
    AwardHow.GIVEN: gettext_lazy("by decision of the federation"),
    AwardHow.KEPT: gettext_lazy("by announcement of the federation"),
    AwardHow.APPROVED: gettext_lazy("by approval of the federation"),
}
"""Texts for how a grade was earned, by the `how` of its award."""


def certificate(request: HttpRequest, code: str, status: int = 200) -> HttpResponse:
    """Show whether a printed certificate is valid today."""
    record = find_certificate(code)
    context = {"certificate": record, "earned": earned_text(record)} if record else {}
    return render(request, "grades/certificate.html", context, status=status if record else 404)


def certificate_file(request: HttpRequest, code: str) -> HttpResponse:
    record = find_certificate(code)
    if record is None or not record.confirmed:
        return certificate(request, code, status=404)
    headers = {"Content-Disposition": f'inline; filename="{code}.pdf"'}
    return HttpResponse(
        write_certificate(printable_certificate(record)), content_type="application/pdf", headers=headers
    )


def printable_certificate(record: Certificate) -> Printed:
    return Printed(
        name=record.name,
        native=record.player.public_native,
        grade=record.grade,
        list=record.list.name,
        federation=record.list.federation.name,
        day=record.day,
        earned=earned_text(record),
        event=record.event.name if record.event else "",
        address=settings.SITE_ADDRESS + reverse("certificate", args=[record.code]),
    )


def earned_text(record: Certificate) -> str:
    how = AwardHow(record.how)
    return str(EARNED[how]) if how in EARNED else _("by %(how)s") % {"how": award_label(how)}
