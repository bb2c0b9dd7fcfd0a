from importlib import import_module
from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.management import create_permissions
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = _("Ratings")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("ratings.domain.audit").follow_changes()
        import_module("ratings.tasks")  # the domain wakes tasks by their names, in every process
        post_migrate.connect(make_roles, sender=self)


def make_roles(sender: AppConfig, **options: Any) -> None:
    for app in (sender, apps.get_app_config("auditlog")):
        create_permissions(app, verbosity=0)
    import_module("ratings.domain.roles").ensure_roles()
