from importlib import import_module

from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        import_module("portal.site.routing")  # registers the URL converters
        import_module("portal.site.checks")
