"""The symptom table leads to layers that exist and to lessons that treat them."""

from __future__ import annotations

from importlib import import_module

import pytest

from toolkit.lab.symptoms import SYMPTOMS, symptom_table
from tools.environment import ROOT


@pytest.mark.row("J9")
@pytest.mark.parametrize("symptom", SYMPTOMS, ids=lambda symptom: symptom.seen)
def test_every_symptom_leads_to_a_module_and_a_lesson(symptom):
    """The module can be imported, and the lesson is there."""
    assert import_module(f"toolkit.{symptom.module}").__doc__
    assert list((ROOT / "notebooks" / "source").glob(f"{symptom.lesson}_*.py"))
    assert symptom.look_for


@pytest.mark.row("J9")
def test_the_table_reaches_every_layer():
    """From the registry to the statistics: no layer is left out."""
    layers = {symptom.module.split(".")[0] for symptom in SYMPTOMS}
    assert layers == {"registry", "schema", "gateway", "quality", "agent", "trajectory"}
    assert symptom_table().columns == ["symptom", "layer", "look for", "lesson"]
    assert len(symptom_table().rows) == len(SYMPTOMS)
