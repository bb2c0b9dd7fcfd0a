"""Passkeys in a real browser, with an authenticator of its own, under the strict policy on contents."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group

from ratings.access import OFFICERS
from ratings.models import ApiKey
from tests.browser.test_journey import log_in
from tests.browser.test_officers import check_page
from tests.factories import make_user

pytestmark = pytest.mark.browser
DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@pytest.fixture
def officer(page, settings):
    settings.SECOND_FACTOR = settings.SIGN_IN_AGAIN = settings.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    user = make_user("officer")
    user.groups.add(Group.objects.get(name=OFFICERS))
    return user


@pytest.mark.parametrize("width", [1200, 390])
def test_officer_signs_in_and_decides_with_a_passkey(page, officer, settings, width):
    page.set_viewport_size({"width": width, "height": 800})
    log_in(page, "officer")
    page.goto("/organise/")
    page.wait_for_url("**/accounts/2fa/")
    check_page(page, width)
    page.locator("a[href='/accounts/2fa/webauthn/add/']").click()
    page.get_by_label("Password").fill("secret")
    page.locator("main").get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/accounts/2fa/webauthn/add/")
    check_page(page, width)
    page.get_by_label("Name").fill("Laptop")
    page.get_by_label("Sign in with this key alone").check()
    page.get_by_role("button", name="Add key").click()
    page.wait_for_url("**/accounts/2fa/**")
    page.get_by_text("Security key added.").or_(page.get_by_text("Recovery codes")).first.wait_for()
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"webauthn", "recovery_codes"}
    page.goto("/organise/")
    page.wait_for_url("**/organise/")

    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button").click()
    page.wait_for_url(lambda address: "/accounts/logout/" not in address)  # stored pages are removed first
    page.goto("/accounts/login/?next=/organise/keys/")
    check_page(page, width)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/organise/keys/")

    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0  # nothing is recent enough
    page.get_by_label("purpose", exact=False).fill("Pairing program")
    page.get_by_role("button", name="Create key").click()
    page.wait_for_url("**/accounts/reauthenticate/**")
    check_page(page, width)
    page.get_by_role("link", name="Use a security key").click()
    page.wait_for_url("**/accounts/2fa/webauthn/reauthenticate/**")
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
    page.get_by_role("button", name="Use a security key").click()
    page.wait_for_url("**/accounts/continue/**")
    check_page(page, width)
    page.get_by_text("Pairing program").wait_for()
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Copy it now").wait_for()
    check_page(page, width)
    assert ApiKey.objects.get().label == "Pairing program"
