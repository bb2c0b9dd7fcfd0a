"""Only addresses on the public internet count as public, whatever they are wrapped in."""

import socket
import threading

import pytest

from ratings.public_addresses import NotPublicError, UnknownHostError, is_public, resolve_public

PUBLIC = [
    "93.184.216.34",
    "8.8.8.8",
    "2606:2800:220:1:248:1893:25c8:1946",
    "64:ff9b::808:808",  # NAT64 of 8.8.8.8
]
NOT_PUBLIC = [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1",  # noqa: S104 - nothing is bound
    "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
    "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a01:203", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808",
    "2001::1", "2001:0:7f00:1::", "2001:10::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::", "3fff::1", "5f00::1",
    "100::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
    "", "localhost", "2130706433", "0x7f000001", "127.1", "1.2.3.4.5", "2606:2800:220:1:248:1893:25c8:1946%eth0",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_other_addresses_are_not_public(address):
    assert not is_public(address)


def answer_with(monkeypatch, *addresses):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_more: found)


def test_host_is_resolved_to_its_public_addresses(monkeypatch):
    answer_with(monkeypatch, *PUBLIC, PUBLIC[0])
    assert resolve_public("example.org", 443, seconds=5) == PUBLIC


@pytest.mark.parametrize("private", ["127.0.0.1", "::1", "10.0.0.1", "::ffff:10.0.0.1"])
def test_host_with_one_private_address_is_refused(private, monkeypatch):
    answer_with(monkeypatch, "93.184.216.34", private)
    with pytest.raises(NotPublicError, match=f"example.org has the address {private}"):
        resolve_public("example.org", 443, seconds=5)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "localhost"])
def test_other_spellings_of_loopback_are_refused(host):
    with pytest.raises(NotPublicError):
        resolve_public(host, 443, seconds=5)


@pytest.mark.parametrize(
    "error", [socket.gaierror(-2, "unknown"), UnicodeError("label too long"), OSError(24, "files")]
)
def test_unknown_host_has_no_address(error, monkeypatch):
    def fail(*_arguments, **_more):
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(UnknownHostError):
        resolve_public("nowhere.example", 443, seconds=5)


def test_name_servers_that_do_not_answer_are_given_up(monkeypatch):
    ended = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_more: ended.wait(10) and [])
    with pytest.raises(UnknownHostError):
        resolve_public("slow.example", 443, seconds=0.1)
    ended.set()
