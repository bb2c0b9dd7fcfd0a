"""Messages go to the checked public address of a host and nowhere else."""

import datetime as dt
import socket
import ssl
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.exceptions import ValidationError

from ratings.domain.site import webhook_sending
from ratings.domain.site.webhook_sending import check_address, send
from tests.receiver import Receiver

PUBLIC, OTHER_PUBLIC = "93.184.216.34", "93.184.216.35"


class Resolver:
    """Name servers whose answers change with each look-up; the last one stays."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    def __call__(self, _host, port, *_arguments, **_more):
        self.asked += 1
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]


@pytest.fixture
def certificate(tmp_path):
    """A certificate for hooks.example, with its key, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
def receiver(certificate):
    """A program with TLS that is hooks.example."""
    secured = Receiver()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    secured.server.socket = context.wrap_socket(secured.server.socket, server_side=True)
    with secured.running() as running:
        yield running


@pytest.fixture
def network(monkeypatch, receiver, certificate):
    """Connections to public addresses lead to the receiver; `connected` are all that were asked for."""
    connected = []

    def create_connection(address, timeout=None):
        connected.append(address)
        if address[0] == OTHER_PUBLIC:
            raise ConnectionRefusedError
        return connect_locally(receiver.port, timeout)

    monkeypatch.setattr(socket, "create_connection", create_connection)
    monkeypatch.setattr(webhook_sending, "make_tls_context", lambda: ssl.create_default_context(cafile=certificate))
    return connected


def connect_locally(port, seconds):
    """Return a connection to a port of this machine, without a look-up."""
    connected = socket.socket()
    connected.settimeout(seconds)
    connected.connect(("127.0.0.1", port))
    return connected


def resolve_to(monkeypatch, *answers):
    resolver = Resolver(*answers)
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    return resolver


def post(address="https://hooks.example/in", body=b'{"id":"msg_1","sequence":1}'):
    reply = send(address, body, {"webhook-id": "msg_1"})
    return reply.status, reply.error


def test_message_goes_to_the_checked_address_with_the_name_of_the_host(network, receiver, monkeypatch):
    resolve_to(monkeypatch, [PUBLIC])
    assert post("https://hooks.example/in?a=ä") == (204, "")
    ((path, headers, body),) = receiver.received
    assert network == [(PUBLIC, 443)]
    assert (path, body) == ("/in?a=%C3%A4", b'{"id":"msg_1","sequence":1}')
    assert {name: headers[name] for name in ("Host", "webhook-id", "User-Agent")} == {
        "Host": "hooks.example", "webhook-id": "msg_1", "User-Agent": "rating-portal-webhook/1",
    }  # fmt: skip
    assert post("https://hooks.example:8443") == (204, "")
    assert (network[-1], receiver.received[-1][1]["Host"]) == ((PUBLIC, 8443), "hooks.example:8443")


@pytest.mark.parametrize("second", ["127.0.0.1", "169.254.169.254", "::1"])
def test_name_that_changes_after_the_check_leads_nowhere_else(second, network, monkeypatch):
    resolver = resolve_to(monkeypatch, [PUBLIC], [second])
    assert post() == (204, "")
    assert (network, resolver.asked) == ([(PUBLIC, 443)], 1)  # looked up once, and connected to what was checked
    assert post() == (None, "private")
    assert network == [(PUBLIC, 443)]


@pytest.mark.parametrize(
    "private", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fe80::1%lo"]
)
def test_private_addresses_are_never_connected_to(private, network, monkeypatch):
    resolve_to(monkeypatch, [private])
    assert (post(), network) == ((None, "private"), [])
    resolve_to(monkeypatch, [PUBLIC, private])
    assert (post(), network) == ((None, "private"), [])


def test_next_public_address_is_tried(network, monkeypatch):
    refused = []

    def refuse(address, **_more):
        refused.append(address[0])
        raise ConnectionRefusedError

    resolve_to(monkeypatch, [OTHER_PUBLIC, PUBLIC])
    assert post() == (204, "")
    assert network == [(OTHER_PUBLIC, 443), (PUBLIC, 443)]
    resolve_to(monkeypatch, [OTHER_PUBLIC, "93.184.216.36", "93.184.216.37", "93.184.216.38"])
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert post() == (None, "connection")
    assert refused == [OTHER_PUBLIC, "93.184.216.36", "93.184.216.37"]  # three at most


@pytest.mark.parametrize("to", ["http://127.0.0.1/", "https://169.254.169.254/latest", "https://hooks.example/other"])
def test_redirects_are_not_followed(to, network, receiver, monkeypatch):
    resolve_to(monkeypatch, [PUBLIC])
    receiver.answer, receiver.headers = 307, {"Location": to}
    assert post() == (307, "redirect")
    assert (len(receiver.received), network) == (1, [(PUBLIC, 443)])


def test_certificate_must_be_valid_for_the_name(network, receiver, monkeypatch):
    resolve_to(monkeypatch, [PUBLIC])
    assert post("https://other.example/in") == (None, "certificate")
    monkeypatch.setattr(webhook_sending, "make_tls_context", ssl.create_default_context)
    assert post() == (None, "certificate")
    assert receiver.received == []


def test_host_without_address_is_not_found(network, monkeypatch):
    resolve_to(monkeypatch, [])
    assert (post(), network) == ((None, "name"), [])


def test_connection_that_is_not_accepted_in_time(network, monkeypatch):
    def hang(*_arguments, **_more):
        raise TimeoutError

    resolve_to(monkeypatch, [PUBLIC])
    monkeypatch.setattr(socket, "create_connection", hang)
    assert post() == (None, "timeout")


@pytest.mark.parametrize("error", [ValueError("no name"), OSError("broken"), UnicodeError("idna")])
def test_name_that_tls_does_not_accept_is_a_failure_and_no_crash(error, network, monkeypatch):
    def refuse(*_arguments, **_more):
        raise error

    resolve_to(monkeypatch, [PUBLIC])
    monkeypatch.setattr(webhook_sending, "make_tls_context", lambda: SimpleNamespace(wrap_socket=refuse))
    assert post() == (None, "broken")


def test_handshake_that_hangs_ends_in_time(monkeypatch):
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    monkeypatch.setattr(socket, "create_connection", lambda _address, timeout: connect_locally(port, timeout))
    monkeypatch.setattr(webhook_sending, "READ_SECONDS", 0.2)
    resolve_to(monkeypatch, [PUBLIC])
    with silent:
        assert post() == (None, "timeout")


ALLOWED = ["https://example.org", "https://example.org/in?a=b", "https://example.org:8443/", "https://93.184.216.34/in"]
REFUSED = {
    "Enter an https address, for example https://example.org/ratings.": [
        "http://example.org", "ftp://example.org", "example.org", "", "https://", "https://exa mple.org", "file:///etc",
    ],
    "Remove the user name and password: the signature identifies the portal.": [
        "https://me:pw@example.org/", "https://me@example.org/",
    ],
    "Remove the part after #.": ["https://example.org/#part"],
    "This port is not allowed. Possible ports: 443, 8443.": [
        "https://example.org:22/", "https://example.org:80/", "https://example.org:99999/", "https://example.org:0/",
    ],
    "This host is in a private network. Webhooks go to public addresses only.": [
        "https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1:8443/", "https://[::ffff:7f00:1]/",
    ],
}  # fmt: skip


@pytest.mark.parametrize("address", ALLOWED)
def test_public_https_addresses_are_allowed(address):
    assert check_address(address).geturl() == address


@pytest.mark.parametrize(
    ("message", "address"), [(text, each) for text, several in REFUSED.items() for each in several]
)
def test_other_addresses_are_refused_with_the_reason(message, address):
    with pytest.raises(ValidationError) as refused:
        check_address(address)
    assert refused.value.messages == [message]


def test_stored_address_that_is_no_longer_allowed_is_not_sent_to(network, settings):
    assert post("https://hooks.example:9000/in") == (None, "address")
    settings.WEBHOOK_PORTS = [9000]
    assert check_address("https://hooks.example:9000/in").port == 9000
    assert network == []


def test_other_addresses_are_allowed_for_development_only(settings):
    settings.WEBHOOKS_TO_ANY_ADDRESS = True
    assert check_address("http://127.0.0.1:8000/in").port == 8000
