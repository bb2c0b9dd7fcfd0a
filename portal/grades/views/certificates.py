from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from portal.pdf.certificate import Certificate as Printed
from portal.pdf.certificate import write_certificate
from portal.site.federation_identity import identity_of
from ratings.queries.grades.certificates import Certificate, find_certificate
from ratings.systems.values import AwardHow

WAYS = {
    AwardHow.UPPER_BOUND: gettext_lazy("Won by reaching the rating that this grade requires."),
    AwardHow.GAMES_ABOVE_MP: gettext_lazy(
        "Won by keeping a rating above the middle of this grade for enough games in a row."
    ),
    AwardHow.GAMES_ABOVE_LB: gettext_lazy(
        "Won by keeping a rating above the lower limit of this grade for enough games in a row."
    ),
    AwardHow.PROVISIONAL: gettext_lazy("Won by first results well above this grade."),
    AwardHow.BOUND_TO_GET_IT: gettext_lazy("Won by a rating so high that no further loss could prevent this grade."),
    AwardHow.ABOVE_BAND: gettext_lazy("Won by a rating above the range of the grade before."),
    AwardHow.PRINTED: gettext_lazy("Held by the records of the federation."),
    AwardHow.GIVEN: gettext_lazy("Given by a decision of the federation."),
    AwardHow.KEPT: gettext_lazy("Announced by the federation."),
    AwardHow.APPROVED: gettext_lazy("Approved by the federation."),
}
"""Sentences that say how a grade was won, by the `how` of its award; lost grades have no certificate."""


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
        identity=identity_of(record.list.federation),
        day=record.day,
        earned=earned_text(record),
        event=record.event.name if record.event else "",
        address=settings.SITE_ADDRESS + reverse("certificate", args=[record.code]),
    )


def earned_text(record: Certificate) -> str:
    """Return how the grade of a certificate was won, and that it was approved, in whole sentences."""
    ways = [record.how, *([AwardHow.APPROVED] if record.approved else [])]
    return " ".join(str(WAYS[way]) for way in ways if way in WAYS)
