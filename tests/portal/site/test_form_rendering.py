import pytest
from django import forms
from django.forms.renderers import DjangoTemplates

GROUPED = [("", "all"), ("Europe & Asia", [("fr", "France"), ("tr", "Türkiye")]), (3, "<three>")]


class Choice(forms.Form):
    place = forms.ChoiceField(choices=GROUPED, required=True)
    several = forms.MultipleChoiceField(choices=GROUPED, required=False, widget=forms.SelectMultiple(attrs={"size": 2}))


@pytest.mark.parametrize("name", ["place", "several"])
@pytest.mark.parametrize("data", [None, {"place": "tr", "several": ["3", "fr"]}, {"place": '"', "several": ["x"]}])
def test_select_box_equals_the_one_of_djangos_template(name, data):
    written, expected = Choice(data), Choice(data, renderer=DjangoTemplates())
    assert str(written[name]).split() == str(expected[name]).split()
    assert str(written[name]).count("<option") == 4
