from django.core.paginator import Paginator
from django.http import HttpRequest
from django_tables2 import Table


def sort_and_paginate(request: HttpRequest, listing: Table, per_page: int) -> Table:
    """Sort and paginate a listing by the request's query, which cannot change `per_page`; return the listing."""
    listing.request = request
    if order := request.GET.get(listing.prefixed_order_by_field):
        listing.order_by = order
    listing.paginator = Paginator(listing.rows, per_page)
    listing.page = listing.paginator.get_page(request.GET.get(listing.prefixed_page_field))
    return listing
