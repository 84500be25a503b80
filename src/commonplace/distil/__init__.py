"""From a conversation to what is worth remembering of it: chosen sentences by rule, a digest, or a model's proposal."""

from commonplace.distil.selecting import Item, distil

__all__ = ["Item", "distil"]
