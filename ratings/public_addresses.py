"""Addresses on the public internet: which ones are public, and which ones a host name has."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Thread

PUBLIC_IPV6 = IPv6Network("2000::/3")
"""The only block from which global unicast addresses are assigned (IANA)."""
NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses that a gateway translates to the IPv4 address in their last 32 bits (RFC 6052)."""
NOT_PUBLIC = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",  # IETF protocol assignments
            "192.88.99.0/24",  # relays of 6to4
            "2001::/23",  # IETF protocol assignments, with Teredo
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which contains an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)
"""Blocks that some versions of Python count as global."""


class UnknownHostError(OSError):
    """Error for a host name that has no address, or whose name servers do not answer in time."""


class NotPublicError(OSError):
    """Error for a host with an address that is not on the public internet."""


def is_public(text: str) -> bool:
    """Return True if an IP address is on the public internet.

    Loopback, private, link-local, multicast and reserved addresses are not, nor are IPv6 addresses that contain such an
    IPv4 address. False for a text that is no IP address, and for one with a zone (`fe80::1%eth0`).
    """
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address in NAT64:
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if isinstance(address, IPv6Address) and (address not in PUBLIC_IPV6 or address.scope_id):
        return False
    special = address.is_multicast or address.is_reserved or any(address in block for block in NOT_PUBLIC)
    return address.is_global and not special


def resolve_public(host: str, port: int, *, seconds: float) -> list[str]:
    """Return the IP addresses of a host, all of which are public.

    The caller connects to one of these addresses and not to the host's name, whose address may be another one when it
    is looked up again. NotPublicError: one of them is not public. UnknownHostError: there are none, or the name servers
    do not answer within `seconds`.
    """
    addresses = resolve(host, port, seconds=seconds)
    if private := [address for address in addresses if not is_public(address)]:
        raise NotPublicError(f"{host} has the address {private[0]}")
    return addresses


def resolve(host: str, port: int, *, seconds: float) -> list[str]:
    """Return the IP addresses of a host; UnknownHostError if there are none within `seconds`."""
    found: list[str] = []

    def look_up() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # UnicodeError: a label that is no host name
            return
        found.extend(dict.fromkeys(str(answer[4][0]) for answer in answers))

    # getaddrinfo has no time limit of its own
    thread = Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise UnknownHostError(f"{host} has no address")
    return list(found)
