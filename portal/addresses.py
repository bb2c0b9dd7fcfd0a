from django.http import HttpRequest, HttpResponsePermanentRedirect


def at_its_address(request: HttpRequest, address: str) -> HttpResponsePermanentRedirect:
    """To the address that a page has by now, with what was asked of it."""
    asked = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"{address}?{asked}" if asked else address)
