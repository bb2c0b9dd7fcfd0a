"""Messages are signed as Standard Webhooks says, and secrets are stored encrypted."""

import datetime as dt

import pytest
from django.utils import timezone
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from ratings.domain.site.encryption import UnreadableSecretError
from ratings.domain.site.webhook_secrets import (
    decrypt_secret,
    encrypt_secret,
    new_secret,
    sign_message,
)

BODY = b'{"id":"msg_1","data":{"grade":"3 Dan"}}'
# the example of the specification (standard-webhooks, spec/standard-webhooks.md, “Signature scheme”)
SPEC_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SPEC_BODY = b'{"test": 2432232314}'
SPEC_SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_example_of_the_specification_is_signed_alike():
    at = dt.datetime.fromtimestamp(1614265330, dt.UTC)
    headers = sign_message("msg_p5jXN8AQM9LWM0D4loKWxJek", at, SPEC_BODY, [SPEC_SECRET])
    assert headers == {
        "Content-Type": "application/json",
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": SPEC_SIGNATURE,
    }


def test_package_of_the_specification_verifies_our_messages():
    old, new, other = new_secret(), new_secret(), new_secret()
    headers = sign_message("msg_1", timezone.now(), BODY, [new, old])
    for secret in (old, new):
        assert Webhook(secret).verify(BODY, headers) == {"id": "msg_1", "data": {"grade": "3 Dan"}}
    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        Webhook(other).verify(BODY, headers)
    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        Webhook(new).verify(BODY + b" ", headers)
    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        Webhook(new).verify(BODY, headers | {"webhook-id": "msg_2"})
    late = sign_message("msg_1", timezone.now() - dt.timedelta(minutes=6), BODY, [new])
    with pytest.raises(WebhookVerificationError, match="too old"):
        Webhook(new).verify(BODY, late)


def test_secrets_differ_and_are_stored_encrypted(settings):
    secret = new_secret()
    stored = encrypt_secret(secret)
    assert (secret == new_secret(), stored == encrypt_secret(secret), secret in stored) == (False, False, False)
    assert decrypt_secret(stored) == secret
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "the next key"
    assert decrypt_secret(stored) == secret
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(UnreadableSecretError):
        decrypt_secret(stored)
