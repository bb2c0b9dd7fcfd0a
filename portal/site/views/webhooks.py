"""Pages of a federation's webhooks: programs of others that are told what changes on its lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.site.webhook_forms import ReplayForm, WebhookForm
from ratings.access import Action
from ratings.domain.site import webhooks as domain
from ratings.models import Federation, WebhookDelivery, WebhookSubscription
from ratings.queries.site.webhooks import log_of, subscriptions_of

from .access import require, sign_in_required

PER_PAGE = 50


def get_federation(request: HttpRequest, slug: str) -> Federation:
    """Return a federation whose webhooks the user may change; raise Http404 or PermissionDenied."""
    federation = get_object_or_404(Federation, slug=slug)
    require(request, Action.MANAGE_WEBHOOKS, federation)
    return federation


def get_subscription(request: HttpRequest, slug: str, pk: int) -> WebhookSubscription:
    """Return a webhook that the user may change; raise Http404 or PermissionDenied."""
    federation = get_federation(request, slug)
    return get_object_or_404(
        WebhookSubscription.objects.select_related("federation", "owner"), pk=pk, federation=federation
    )


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


@sign_in_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """List the webhooks of a federation, and create one: its secret is displayed once, on the page that created it."""
    federation = get_federation(request, slug)
    context: dict[str, Any] = {"federation": federation}
    form = WebhookForm(
        request.POST or None, instance=WebhookSubscription(federation=federation), user=_get_user(request)
    )
    if request.method == "POST" and form.is_valid():
        try:
            context["secret"] = domain.create_subscription(form.instance)
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            context["created"] = form.instance
            fresh = WebhookSubscription(federation=federation)
            form = WebhookForm(instance=fresh, user=_get_user(request))
    context |= {
        "form": form,
        "webhooks": list(subscriptions_of(federation)),
        "deleted": list(subscriptions_of(federation, deleted=True)),
    }
    return render(request, "site/webhooks.html", context, status=422 if form.errors else 200)


@sign_in_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a webhook with its log, and change it."""
    subscription = get_subscription(request, slug, pk)
    if request.method != "POST":
        return _render_webhook(request, subscription, WebhookForm(instance=subscription, user=_get_user(request)))
    stored = WebhookSubscription.objects.select_related("federation", "owner").get(pk=pk)
    with transaction.atomic():
        form = WebhookForm(request.POST, instance=subscription, user=_get_user(request))
        if not form.is_valid():
            return _render_webhook(request, stored, form, status=422)
        domain.save_subscription(form.instance)
    messages.success(request, _("Saved."))
    return redirect("webhook", slug, pk)


def _render_webhook(
    request: HttpRequest, subscription: WebhookSubscription, form: WebhookForm, *, status: int = 200, **more: object
) -> HttpResponse:
    page = Paginator(log_of(subscription), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "webhook": subscription,
        "federation": subscription.federation,
        "form": form,
        "page": page,
        "replay_form": ReplayForm(),
        "waiting": subscription.deliveries.filter(status=WebhookDelivery.Status.WAITING).count(),
        "overlap_days": domain.OVERLAP_DAYS,
        "restore_days": settings.RESTORE_DAYS,
        "addresses": {
            act: reverse("webhook_act", args=[subscription.federation.slug, subscription.pk, act]) for act in ACTS
        },
        **more,
    }
    return render(request, "site/webhook.html", context, status=status)


@sign_in_required
@never_cache
@require_POST
def webhook_act(request: HttpRequest, slug: str, pk: str, act: str) -> HttpResponse:
    """Do what a button on the page of a webhook says."""
    subscription = get_subscription(request, slug, int(pk))
    return ACTS[act](request, subscription) or redirect("webhook", slug, pk)


Act = Callable[[HttpRequest, WebhookSubscription], HttpResponse | None]


def _pause(request: HttpRequest, subscription: WebhookSubscription) -> None:
    domain.pause_subscription(subscription)
    messages.success(request, _("Paused. Changes wait until you choose “Resume”."))


def _resume(request: HttpRequest, subscription: WebhookSubscription) -> None:
    domain.resume_subscription(subscription)
    messages.success(request, _("Resumed. Everything that waits is sent now, in order."))


def _test(request: HttpRequest, subscription: WebhookSubscription) -> None:
    domain.send_test_message(subscription)
    messages.success(request, _("A test message is being sent. Reload the page to see the answer in the log."))


def _rotate(request: HttpRequest, subscription: WebhookSubscription) -> HttpResponse:
    secret = domain.rotate_secret(subscription)
    subscription.refresh_from_db()
    form = WebhookForm(instance=subscription, user=_get_user(request))
    return _render_webhook(request, subscription, form, secret=secret)


def _end_overlap(request: HttpRequest, subscription: WebhookSubscription) -> None:
    domain.end_overlap(subscription)
    messages.success(request, _("The previous secret is no longer used."))


def _replay(request: HttpRequest, subscription: WebhookSubscription) -> HttpResponse | None:
    """Send one delivery again, or all since a time."""
    if "delivery" in request.POST:
        typed = request.POST["delivery"]
        pk = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else 0
        number = int(domain.replay_delivery(get_object_or_404(subscription.deliveries, pk=pk)))
    else:
        replay_form = ReplayForm(request.POST)
        if not replay_form.is_valid():
            form = WebhookForm(instance=subscription, user=_get_user(request))
            return _render_webhook(request, subscription, form, status=422, replay_form=replay_form)
        number = domain.replay_since(subscription, replay_form.cleaned_data["since"])
    text = ngettext("%(number)d message is sent again.", "%(number)d messages are sent again.", number)
    messages.success(request, text % {"number": number})
    return None


def _delete(request: HttpRequest, subscription: WebhookSubscription) -> HttpResponse:
    domain.delete_subscription(subscription)
    messages.success(request, _("“%(name)s” was deleted. You can restore it below.") % {"name": subscription.name})
    return redirect("webhooks", subscription.federation.slug)


def _restore(request: HttpRequest, subscription: WebhookSubscription) -> None:
    domain.restore_subscription(subscription)
    messages.success(request, _("Restored."))


ACTS: dict[str, Act] = {
    "pause": _pause,
    "resume": _resume,
    "test": _test,
    "rotate": _rotate,
    "end_overlap": _end_overlap,
    "replay": _replay,
    "delete": _delete,
    "restore": _restore,
}
"""Functions of the buttons; each returns a response, or None to return to the page of the webhook."""
