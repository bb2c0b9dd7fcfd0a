from django.core.paginator import Paginator
from django.http import HttpRequest
from django_tables2 import Table


def configured(request: HttpRequest, listing: Table, per_page: int) -> Table:
    """A listing sorted and paged as its address says; its length is ours to say (RequestConfig takes per_page=-1)."""
    listing.request = request
    if order := request.GET.getlist(listing.prefixed_order_by_field):
        listing.order_by = order
    listing.paginator = Paginator(listing.rows, per_page)
    listing.page = listing.paginator.get_page(request.GET.get(listing.prefixed_page_field))
    return listing
