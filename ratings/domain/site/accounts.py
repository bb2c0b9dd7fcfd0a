"""Accounts of people with a role: invitation by mail, and removal of roles."""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.utils import generate_unique_username
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.localize import join_clauses
from ratings.models import Club, Federation

from .acting import acting_user
from .mails import queue_mail
from .outbox import Priority, notify, register_composer

ROLE_TASKS = {
    OFFICERS: gettext_lazy("accept results and look after rating lists"),
    APPROVERS: gettext_lazy("approve grades"),
    ORGANISERS: gettext_lazy("enter results"),
}
"""Tasks of each role, as named in invitations; the role with the most rights first."""


ROLE_NAMES = {
    OFFICERS: gettext_lazy("rating officer"),
    APPROVERS: gettext_lazy("approver of grades"),
    ORGANISERS: gettext_lazy("organiser"),
}
"""Names of the roles, as a person has them."""


@transaction.atomic
def invite(mail: str, *, role: str = ORGANISERS, club: Club | None = None) -> User:
    """Give a role to the person with a mail address, creating an account if needed, and notify them by mail.

    ValidationError: the account was closed.
    """
    user = get_or_create_account(mail)
    if role == OFFICERS and not user.is_staff:
        user.is_staff = True  # gives access to the admin
        user.save(update_fields=["is_staff"])
    user.groups.add(Group.objects.get(name=role))
    if club is not None:
        club.organisers.add(user)
    notify("invitation", user.pk)
    return user


@transaction.atomic
def invite_administrator(mail: str, federation: Federation) -> User:
    """Make the person with a mail address an administrator of a federation, and notify them by mail.

    ValidationError: the account was closed.
    """
    user = get_or_create_account(mail)
    federation.administrators.add(user)
    notify("invitation", user.pk)
    return user


def get_or_create_account(mail: str) -> User:
    """Return the account with a confirmed mail address, or a new one.

    A new account has no password: its owner chooses one by a link in the invitation, which confirms the address.
    ValidationError: the account was closed.
    """
    mail = mail.lower()
    known = EmailAddress.objects.filter(email__iexact=mail, verified=True).select_related("user").first()
    if known is not None and not known.user.is_active:
        raise ValidationError(_("The account with this address is inactive: activate it again in the admin."))
    user = known.user if known else None
    if user is None:
        EmailAddress.objects.filter(email__iexact=mail).delete()  # entered by a user who never confirmed it
        name = generate_unique_username([mail.partition("@")[0], "user"])
        user = User(username=name, email=mail)
        user.set_unusable_password()
        user.full_clean(exclude=["password"])
        user.save()
        EmailAddress.objects.create(user=user, email=mail, verified=True, primary=True)
    return user


@transaction.atomic
def remove_role(user: User, role: str) -> None:
    """Remove a role from a user; their account and the data they entered stay."""
    if user == acting_user():
        raise ValidationError(_("You cannot remove your own role. Ask another officer."))
    user.groups.remove(Group.objects.get(name=role))


@transaction.atomic
def remove_administrator(user: User, federation: Federation) -> None:
    """Remove a user from the administrators of a federation; ValidationError for oneself."""
    if user == acting_user():
        raise ValidationError(_("You cannot remove yourself. Ask another administrator."))
    federation.administrators.remove(user)


def describe_roles(user: User) -> list[str]:
    """Return each role of a user with its tasks, the one with the most rights first."""
    names = set(user.groups.values_list("name", flat=True))
    federations = Federation.objects.filter(administrators=user)
    return [f"{ROLE_NAMES[role]} ({task})" for role, task in ROLE_TASKS.items() if role in names] + [
        _("administrator of %(federation)s (change its pages)") % {"federation": federation}
        for federation in federations
    ]


@register_composer("invitation")
def send_invitation(user_id: int) -> None:
    """Send the mail of an invitation, with a link to choose a password if the user has none."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.email:
        return
    roles = describe_roles(user)
    if user.has_usable_password():
        text, address = _("Your account has this role now: %(roles)s. Sign in here:"), reverse("start")
    else:
        key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
        address = reverse("account_reset_password_from_key", args=key.split("-", 1))
        text = _("You are invited as “%(name)s”, with this role: %(roles)s. Choose a password here:")
    text %= {"roles": join_clauses(roles), "name": user.username}
    queue_mail([user.email], _("Invitation to the rating portal"), text, path=address, priority=Priority.ACCOUNT)
