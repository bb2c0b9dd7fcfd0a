from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from ratings.domain.site.health import check_health as parts_of

FINE = ("ok", "not used")


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    parts = parts_of()
    fine = all(parts[name] in FINE for name in ("database", "broker", "sweep", "disk"))
    return JsonResponse(parts, status=200 if fine else 503)
