"""From a conversation to what is worth remembering of it: chosen sentences by rule, a digest, or a model's proposal."""

from commonplace.sessions.distil.asking import Distilled, distil_with
from commonplace.sessions.distil.cleaning import cleaned, unless_secret
from commonplace.sessions.distil.selecting import Item, distil
from commonplace.sessions.distil.summary import label, summarise

__all__ = ["Distilled", "Item", "cleaned", "distil", "distil_with", "label", "summarise", "unless_secret"]
