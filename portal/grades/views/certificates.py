from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from portal.charts.qr import make_code
from portal.grades.certificate_texts import (
    address_of,
    earned_text,
    list_references,
    list_signers,
    printable_certificate,
)
from portal.pdf.certificate import write_certificate
from portal.site.federation_identity import crest_address
from ratings.queries.grades.certificates import find_certificate


def certificate(request: HttpRequest, code: str, status: int = 200) -> HttpResponse:
    """Show whether a printed certificate is valid today."""
    record = find_certificate(code)
    context: dict[str, Any] = {}
    if record is not None:
        context = {"certificate": record, "earned": earned_text(record), "rating_list": record.list}
        if record.confirmed:
            address = address_of(record.code)
            context |= {
                "address": address,
                "crest": crest_address(record.list.federation),
                "qr": make_code(address),
                "references": list_references(record.case),
                "signers": list_signers(record.list, record.case),
            }
    return render(request, "grades/certificate.html", context, status=status if record else 404)


def certificate_file(request: HttpRequest, code: str) -> HttpResponse:
    record = find_certificate(code)
    if record is None or not record.confirmed:
        return certificate(request, code, status=404)
    headers = {"Content-Disposition": f'inline; filename="{code}.pdf"'}
    return HttpResponse(
        write_certificate(printable_certificate(record)), content_type="application/pdf", headers=headers
    )
