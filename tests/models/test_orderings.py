"""Keep the orders of models free of other models' orders."""

import pytest
from django.apps import apps


@pytest.mark.parametrize("model", [*apps.get_app_config("ratings").get_models()], ids=lambda model: model.__name__)
def test_descending_order_names_no_relation(model):
    """A relation stands for the order of its model, which “-” reverses; its column (“-run_id”) is meant."""
    names = [name for name in model._meta.ordering if isinstance(name, str) and name.startswith("-")]
    relations = {field.name for field in model._meta.get_fields() if field.is_relation}
    assert [name for name in names if name[1:] in relations] == []
