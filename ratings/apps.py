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
        import_module("ratings.domain.site.audit").register_models()
        import_module("ratings.domain.site.keys").connect_signals()
        import_module("ratings.domain.site.page_purging").connect_signals()
        import_module("ratings.tasks")  # the domain sends tasks by name, so every process must know them
        post_migrate.connect(create_roles, sender=self)


def create_roles(sender: AppConfig, **options: Any) -> None:
    for app in (sender, apps.get_app_config("auditlog")):
        create_permissions(app, verbosity=0)
    import_module("ratings.domain.site.roles").ensure_roles()
