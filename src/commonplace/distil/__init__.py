"""From a conversation to what is worth remembering of it: chosen sentences by rule, a digest, or a model's proposal."""

from commonplace.distil.asking import Distilled, distil_with
from commonplace.distil.cleaning import cleaned, unless_secret
from commonplace.distil.selecting import Item, distil
from commonplace.distil.summary import label, summarise

__all__ = ["Distilled", "Item", "cleaned", "distil", "distil_with", "label", "summarise", "unless_secret"]
