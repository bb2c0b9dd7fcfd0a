"""Ids of requests in the log."""

from __future__ import annotations

import logging

from django_guid import get_guid


class RequestId(logging.Filter):
    """Filter that adds the id of the present request, or of the one that sent the present task, to log lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        request_id = get_guid() or ""
        vars(record).update(request_id=request_id, request=f" [{request_id}]" if request_id else "")
        return True
