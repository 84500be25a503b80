"""The nouns: frozen, valid by construction, and what is counted and compared of them."""
