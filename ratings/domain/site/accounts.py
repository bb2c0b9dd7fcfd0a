"""Who works on results: invited by mail, made an organiser or an officer, and taken off again."""

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

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Club

from .acting import acting_user
from .mails import post
from .wake import wake


@transaction.atomic
def invite(mail: str, *, role: str = ORGANISERS, club: Club | None = None) -> User:
    """Give somebody a role, with a new account where he has none, and have him told by mail.

    A new account has no password: whoever reads the mail chooses it, which confirms the address.
    """
    mail = mail.lower()
    known = EmailAddress.objects.filter(email__iexact=mail, verified=True).select_related("user").first()
    if known is not None and not known.user.is_active:
        raise ValidationError(_("The account with this address was closed; open it again in the admin."))
    user = known.user if known else None
    if user is None:
        EmailAddress.objects.filter(email__iexact=mail).delete()  # claimed by somebody who never confirmed it
        name = generate_unique_username([mail.partition("@")[0], "user"])
        user = User(username=name, email=mail)
        user.set_unusable_password()
        user.full_clean(exclude=["password"])
        user.save()
        EmailAddress.objects.create(user=user, email=mail, verified=True, primary=True)
    if role == OFFICERS and not user.is_staff:
        user.is_staff = True  # the admin is open to him
        user.save(update_fields=["is_staff"])
    user.groups.add(Group.objects.get(name=role))
    if club is not None:
        club.organisers.add(user)
    wake("ratings.mail_invitation", user.pk)
    return user


@transaction.atomic
def dismiss(user: User, role: str) -> None:
    """Take a role from somebody; his account and what he entered stay."""
    if user == acting_user():
        raise ValidationError(_("Nobody takes his own role away; ask another officer."))
    user.groups.remove(Group.objects.get(name=role))


def send_invitation(user_id: int) -> None:
    """Tell somebody of his role, and how to choose a password where he has none."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.email:
        return
    if user.has_usable_password():
        text, address = _("You may now enter results. Log in here:"), reverse("organise")
    else:
        key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
        address = reverse("account_reset_password_from_key", args=key.split("-", 1))
        text = _("You are invited to enter results, as “%(name)s”. Choose a password here:") % {"name": user.username}
    post([user.email], _("Invitation to the rating portal"), text, path=address)
