"""Several answers to one question: where the book is kept."""
