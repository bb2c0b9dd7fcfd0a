from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.management import create_permissions
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = _("Ratings")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("ratings.tasks")  # the domain wakes tasks by their names, in every process
        post_migrate.connect(make_roles, sender=self)


def make_roles(sender: AppConfig, **options: Any) -> None:
    create_permissions(sender, verbosity=0)
    import_module("ratings.domain.roles").ensure_roles()
