"""Sending of one message to an address that a user entered, without reaching anything but the public internet.

The host's name is looked up once, all its addresses are checked, and the connection is made to a checked address, so
that the name cannot lead elsewhere meanwhile (DNS rebinding). Redirects are not followed. Every step has a time limit.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Timer
from time import monotonic
from typing import Self
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext as _

from ratings.models import WebhookDelivery
from ratings.public_addresses import NotPublicError, UnknownHostError, is_public, resolve, resolve_public

Error = WebhookDelivery.Error
RESOLVE_SECONDS, CONNECT_SECONDS, READ_SECONDS, TOTAL_SECONDS = 5.0, 5.0, 10.0, 15.0
"""Time limits of looking up the name, of connecting, of each read, and of everything after the look-up."""
MAX_RESPONSE_BYTES = 64 * 1024
ADDRESSES_TRIED = 3
DEFAULT_PORTS = {"https": 443, "http": 80}
USER_AGENT = "rating-portal-webhook/1"


class SendingError(Exception):
    """Error of an attempt to send a message, with its reason."""

    def __init__(self, reason: Error) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Reply:
    """Result of an attempt: the status of the response (None without one) and the reason of a failure (or empty)."""

    status: int | None
    error: str
    milliseconds: int
    retry_after: int | None = None
    """Seconds after which the program wants to be asked again, if it said so."""


def check_address(address: str) -> SplitResult:
    """Return the parts of an address that webhooks may be sent to. ValidationError: it is not such an address."""
    schemes = ["https", "http"] if settings.WEBHOOKS_TO_ANY_ADDRESS else ["https"]
    URLValidator(schemes=schemes, message=_("Enter an https address, for example https://example.org/ratings."))(
        address
    )
    parts = urlsplit(address)
    if parts.username is not None or parts.password is not None:
        raise ValidationError(_("Remove the user name and password: the signature identifies the portal."))
    if parts.fragment:
        raise ValidationError(_("Remove the part after #."))
    try:
        port = get_port(parts)
    except ValueError:
        port = 0
    if port == 0 or (port not in settings.WEBHOOK_PORTS and not settings.WEBHOOKS_TO_ANY_ADDRESS):
        ports = ", ".join(map(str, settings.WEBHOOK_PORTS))
        raise ValidationError(_("This port is not allowed. Possible ports: %(ports)s.") % {"ports": ports})
    if not settings.WEBHOOKS_TO_ANY_ADDRESS and _is_surely_private(parts.hostname or ""):
        raise ValidationError(_("This host is in a private network. Webhooks go to public addresses only."))
    return parts


def get_port(parts: SplitResult) -> int:
    return DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port


def _is_surely_private(host: str) -> bool:
    """Return True for the names of this machine and for IP addresses that are not public, without a look-up."""
    is_ip_address = ":" in host or host.replace(".", "").isdigit()
    return host == "localhost" or host.endswith(".localhost") or (is_ip_address and not is_public(host))


def send(address: str, body: bytes, headers: Mapping[str, str]) -> Reply:
    """Send a message by POST and return the result; only a status from 200 to 299 is a success."""
    started = monotonic()
    status: int | None = None
    retry_after: int | None = None
    error = ""
    try:
        status, retry_after = _post(address, body, headers)
        error = _judge(status)
    except SendingError as failure:
        error = failure.reason
    except (OSError, ValueError, http.client.HTTPException):  # such as a name that TLS does not accept
        error = Error.BROKEN
    return Reply(status, error, round((monotonic() - started) * 1000), retry_after)


def _judge(status: int) -> str:
    """Return the reason of a failure for the status of a response; empty for a success."""
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return Error.REDIRECT
    return Error.GONE if status == http.HTTPStatus.GONE else Error.STATUS


def _post(address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, int | None]:
    """Return status and Retry-After of the response."""
    try:
        parts = check_address(address)
    except ValidationError:
        raise SendingError(Error.ADDRESS) from None
    connection = http.client.HTTPConnection(parts.hostname or "", get_port(parts), timeout=READ_SECONDS)
    if parts.scheme == "https":
        connection.default_port = 443  # so that the header “Host” has no default port
    until = monotonic() + RESOLVE_SECONDS + TOTAL_SECONDS
    connection.sock = _connect(parts)
    with _TimeLimit(connection.sock, until - monotonic()) as limit:
        try:
            response = _request(connection, parts, body, headers)
            if limit.reached:  # the end of the connection ends the headers, too
                raise SendingError(Error.TIMEOUT)
            return response.status, _read_rest(response)
        except ssl.SSLCertVerificationError:
            raise SendingError(Error.CERTIFICATE) from None
        except TimeoutError:
            raise SendingError(Error.TIMEOUT) from None
        except (OSError, http.client.HTTPException, ValueError):
            raise SendingError(Error.TIMEOUT if limit.reached else Error.BROKEN) from None
        finally:
            connection.close()


def _connect(parts: SplitResult) -> socket.socket:
    """Return a socket that is connected to a checked address of the host; TLS has not begun yet."""
    host, port = parts.hostname or "", get_port(parts)
    look_up = resolve if settings.WEBHOOKS_TO_ANY_ADDRESS else resolve_public
    try:
        addresses = look_up(host, port, seconds=RESOLVE_SECONDS)
    except UnknownHostError:
        raise SendingError(Error.NAME) from None
    except NotPublicError:
        raise SendingError(Error.PRIVATE) from None
    reason = Error.CONNECTION
    for address in addresses[:ADDRESSES_TRIED]:
        try:
            connected = socket.create_connection((address, port), timeout=CONNECT_SECONDS)
        except TimeoutError:
            reason = Error.TIMEOUT
        except OSError:
            reason = Error.CONNECTION
        else:
            connected.settimeout(READ_SECONDS)
            return _begin_tls(connected, host) if parts.scheme == "https" else connected
    raise SendingError(reason)


def _begin_tls(connected: socket.socket, host: str) -> ssl.SSLSocket:
    """Return a TLS socket for the host's name; the handshake follows when the time limit has begun."""
    try:
        return make_tls_context().wrap_socket(connected, server_hostname=host, do_handshake_on_connect=False)
    except (OSError, ValueError):
        connected.close()
        raise


def make_tls_context() -> ssl.SSLContext:
    """Return the settings of TLS connections: certificates by the authorities that the system trusts."""
    return ssl.create_default_context()


def _request(
    connection: http.client.HTTPConnection, parts: SplitResult, body: bytes, headers: Mapping[str, str]
) -> http.client.HTTPResponse:
    """Send the request and return the response when its status and headers have arrived."""
    if isinstance(connection.sock, ssl.SSLSocket):
        connection.sock.do_handshake()
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    connection.request("POST", iri_to_uri(path), body, {"User-Agent": USER_AGENT, "Connection": "close", **headers})
    return connection.getresponse()


def _read_rest(response: http.client.HTTPResponse) -> int | None:
    """Read the body up to MAX_RESPONSE_BYTES, without using it, and return the seconds in the header Retry-After."""
    with suppress(OSError, http.client.HTTPException):  # the status has arrived, and nothing else counts
        response.read(MAX_RESPONSE_BYTES)
    wanted = response.headers.get("Retry-After", "")
    return int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else None


class _TimeLimit:
    """Context that ends the connection of a socket after some seconds, however slowly the other side sends."""

    def __init__(self, limited: socket.socket, seconds: float) -> None:
        self.limited, self.reached = limited, False
        self.timer = Timer(max(seconds, 0.1), self._end)
        self.timer.daemon = True

    def _end(self) -> None:
        self.reached = True
        with suppress(OSError):  # it may be closed already
            self.limited.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self.timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.timer.cancel()
