"""From a conversation to what is worth remembering of it: chosen sentences by rule, a digest, or a model's proposal."""

from commonplace.sessions.distil.asking import distil_with
from commonplace.sessions.distil.cleaning import cleaned, unless_secret
from commonplace.sessions.distil.items import Distilled, Item, LeftOut
from commonplace.sessions.distil.summary import label, summarise
from commonplace.sessions.distil.whole import distil

__all__ = ["Distilled", "Item", "LeftOut", "cleaned", "distil", "distil_with", "label", "summarise", "unless_secret"]
